import type { Kind } from '../specification/columns.ts'
import { suppliedBy } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Operation } from '../specification/operation.ts'
import { keyOf, tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { isUnderWay, phaseOf, saysNotBegun } from '../specification/game-status.ts'
import { textOf } from '../rows/values.ts'
import type { Capabilities } from './capabilities.ts'
import { kindsOf } from './questions/kinds.ts'
import { isNumeral, isUpper, isZoneless } from './questions/values.ts'
import type { RawRow } from '../specification/raw-row.ts'

const isRow = (value: unknown): value is RawRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first rows of each operation are all inspected. After that, one row of every nth answer is. */
const lookedAt = 200
const everyNth = 8

/**
 * Inspects the rows of answers: finds values that need conversion, and differences from the specification.
 */
export class Inspector {
  readonly #capabilities: Capabilities
  readonly #seen = new Map<string, number>()
  #answers = 0

  constructor(capabilities: Capabilities) {
    this.#capabilities = capabilities
  }

  look(operation: Operation, body: RawRow): void {
    const { yields, answer } = operation
    if (yields === 'search') return
    if (answer === 'row') {
      if (Object.keys(body).length > 0) this.#columns(operation, body)
      return
    }
    const id = keyOf(yields)
    const name = `${operation.class}/${operation.function}`
    let seen = this.#seen.get(name) ?? 0
    let isOne = seen >= lookedAt && (this.#answers += 1) % everyNth === 0
    for (const key in body) {
      const row = body[key]
      if (!isRow(row)) continue
      const own = row[id]
      if (own !== undefined && own !== key && textOf(own) !== key)
        this.#capabilities.drift.add('wrong key', yields)
      if (yields === 'game') this.#status(row['status'])
      if (isOne || seen < lookedAt) this.#columns(operation, row)
      isOne = false
      seen += 1
    }
    this.#seen.set(name, seen)
  }

  #status(status: unknown): void {
    if (typeof status !== 'string' || isKnownStatus(status)) return
    this.#capabilities.drift.add('new status', `game.status: ${JSON.stringify(status.slice(0, 40))}`)
  }

  #columns(operation: Operation, row: RawRow): void {
    const { yields } = operation
    if (yields === 'search') return
    const kinds = kindsOf(operation)
    const { drift } = this.#capabilities
    for (const name in row) {
      const kind = kinds.get(name)
      if (kind !== undefined) this.#value(yields, name, kind, row[name])
      else if (isListed(yields) && !joined.has(name)) drift.add('unknown column', `${yields}.${name}`)
    }
    for (const name of promised(operation))
      if (!Object.hasOwn(row, name)) drift.add('missing column', `${yields}.${name}`)
    this.#nested(row)
  }

  #nested(row: RawRow): void {
    const { teams, game, prediction, odds } = row
    if (isRow(teams))
      for (const team of Object.values(teams)) if (isRow(team)) this.#columns(nestedTeam, team)
    if (isRow(game)) this.#columns(nestedGame, game)
    if (isRow(prediction)) this.#columns(nestedPrediction, prediction)
    if (isRow(odds))
      for (const line of [odds['pre'], odds['live']]) if (isRow(line)) this.#columns(nestedOdds, line)
  }

  /** A value that the graph can convert is a finding. Any other wrong type is drift. */
  #value(table: TableName, name: string, kind: Kind, value: unknown): void {
    if (value === null || typeof value === expected[kind]) {
      if (kind === 'key' && isUpper(value)) this.#capabilities.note('case of ids', 'upper')
      else if ((kind === 'timestamp' || kind === 'day') && isZoneless(value))
        this.#capabilities.note('timestamps', 'without zone')
      return
    }
    if (expected[kind] === 'number' && isNumeral(value)) this.#capabilities.note('numbers', 'text')
    else this.#capabilities.drift.add('new type', `${table}.${name}: ${typeName(value)}`)
  }
}

const expected: Readonly<Record<Kind, 'string' | 'number'>> = {
  key: 'string',
  text: 'string',
  timestamp: 'string',
  day: 'string',
  integer: 'number',
  number: 'number',
  flag: 'number',
}

const typeName = (value: unknown) =>
  Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value

/** Columns that joined operations and projections add to a row. */
const joined = new Set(['teams', 'game', 'prediction', 'odds', 'hasAccess'])

/**
 * Whether the specification lists all columns of the table. Columns of statistics and boxscores depend on the
 * sport.
 */
const isListed = (table: TableName) => !/ranking$|boxscore$/.test(table) && !shownInPart.has(table)

/** Tables without an example row in the specification (§2, other gaps). */
const shownInPart = new Set<string>(['coach', 'conference'])

/** Columns that some operations, or some rows, may leave out. */
const optional = new Set(['conference_id', 'inactive', 'guid'])

const promisedBy = new WeakMap<Operation, readonly string[]>()

/** The columns that every row of an operation has. */
function promised(operation: Operation): readonly string[] {
  let names = promisedBy.get(operation)
  if (!names) {
    const { yields } = operation
    const own = yields === 'search' ? [] : Object.keys(tables[yields])
    names =
      yields === 'search' || shownInPart.has(yields)
        ? []
        : [...suppliedBy(operation)].filter((name) => own.includes(name) && !optional.has(name))
    promisedBy.set(operation, names)
  }
  return names
}

const nestedTeam: Operation = operations.readTeams
const nestedGame: Operation = operations.readGames
const nestedPrediction: Operation = { ...operations.readGames, class: 'prediction', yields: 'prediction' }
const nestedOdds: Operation = operations.readOdds

const known = new Set(['final'])

function isKnownStatus(status: string): boolean {
  if (known.has(status)) return true
  const phase = phaseOf(status)
  const isKnown =
    (phase !== 'open' && phase !== 'unknown') ||
    isUnderWay(status) ||
    saysNotBegun({ status, home_score: 0, away_score: 0 }, 'open')
  // Maximum remembered values. A service has a handful.
  if (isKnown && known.size < 100) known.add(status)
  return isKnown
}
