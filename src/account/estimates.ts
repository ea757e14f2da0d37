import type { Bill } from '../money/bill.ts'
import { Prices } from '../money/price.ts'
import { formOf, idsOf, nameOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Arguments, Operation } from '../specification/operation.ts'

function rowsAtFirst({ rows }: Operation, form: string): Range {
  const [usual, factor] = rows?.[form] ?? [1, 1]
  return guess(usual, factor)
}

/** The minimum, the usual value and the maximum of a figure. */
interface Range {
  least: number
  usual: number
  most: number
  /** The largest value seen, or the usual one if that is larger. A budget has to cover it. */
  safe: number
  /** How many figures it is made of. The guess is one, or a part of one if it is doubtful. */
  figures: number
}

export type Level = 'least' | 'usual' | 'safe' | 'most'

/**
 * The least number of rows before an answer has shown any: one of a list. Of a day's games with their teams two:
 * with one, a query that is far too expensive for nearly all days would make its first call.
 */
const fewestRows = (operation: Operation) => (operation === operations.getGames ? 2 : 1)

/** The minimum weight of a new value in the usual one. The first value weighs as much as the guess. */
const leastWeight = 0.2

const guess = (usual: number, factor: number): Range => ({
  least: usual / factor,
  usual,
  most: usual * factor,
  safe: usual,
  // A guess that may be half or twice the truth is worth a quarter of an answer.
  figures: 1 / factor ** 2,
})

/** The number of bytes, rows and tokens of operations' answers to one key, learned from its answers. */
export class Estimates {
  readonly #bytesPerRow = new Map<string, Range>()
  readonly #rowsPerId = new Map<string, Range>()
  readonly #prices: Prices
  /** The number of answers learned from. */
  learned = 0

  constructor(prices = new Prices()) {
    this.#prices = prices
  }

  bytesPerRow(operation: Operation, level: Level = 'usual'): number {
    return this.#bytesOf(operation)[level]
  }

  /** Rows for each id of a call of this form, or for the whole call if it takes no ids. */
  rowsPerId(operation: Operation, form: string, level: Level = 'usual'): number {
    const range = this.#rowsOf(operation, form)
    if (range.figures > 1 || (level === 'least' && range.least === 0)) return range[level]
    const ofDivision = this.#rowsOfDivision(operation, form)
    if (ofDivision) return ofDivision[level]
    return level === 'least' ? fewestRows(operation) : range[level]
  }

  bytes(operation: Operation, values: Arguments, level: Level = 'usual'): number {
    const rows = this.rowsPerId(operation, formOf(values), level) * idsOf(operation, values)
    return this.bytesPerRow(operation, level) * rows + 2
  }

  tokens(operation: Operation, values: Arguments, level: Level = 'usual'): number {
    const bytes = this.bytes(operation, values, level)
    return level === 'least'
      ? this.#prices.leastTokens(nameOf(operation), bytes)
      : this.tokensFor(operation, bytes)
  }

  /** Tokens of the largest answer expected, at the lowest price so far. */
  tokensIfCheap(operation: Operation, values: Arguments): number {
    return this.#prices.leastTokens(nameOf(operation), this.bytes(operation, values, 'safe'))
  }

  /** Tokens of the smallest answer that the guess for its form allows, with rows. */
  tokensIfSmall(operation: Operation, values: Arguments): number {
    const rows = this.#rowsOf(operation, formOf(values)).least * idsOf(operation, values)
    return this.tokensFor(operation, this.bytesPerRow(operation) * rows + 2)
  }

  /** Tokens of an answer of this size. */
  tokensFor(operation: Operation, bytes: number): number {
    return this.#prices.tokens(nameOf(operation), bytes)
  }

  learn(operation: Operation, values: Arguments, rows: number, bill: Bill): void {
    this.learned += 1
    const ofForm = this.#rowsOf(operation, formOf(values))
    if (rows > 0) {
      widen(this.#bytesOf(operation), bill.bytes / rows)
      widen(ofForm, rows / idsOf(operation, values))
      // A day without games tells nothing about the size of another.
    } else ofForm.least = 0
    if (bill.estimated || bill.tokens <= 0) return
    this.#prices.learn(nameOf(operation), bill.bytes, bill.tokens)
  }

  /** Learns from an answer: its rows, bytes and tokens. */
  learnFrom(operation: Operation, values: Arguments, body: object, bill: Bill): void {
    let length = 0
    for (const _name in body) length += 1
    this.learn(operation, values, operation.answer === 'row' ? Math.min(1, length) : length, bill)
  }

  /** Whether any answer with rows has shown how many a call of this form returns. */
  isKnown(operation: Operation, values: Arguments): boolean {
    return this.#rowsOf(operation, formOf(values)).figures > 1
  }

  /** A separate copy. */
  copy(): Estimates {
    const copy = new Estimates(this.#prices.copy())
    for (const [name, range] of this.#bytesPerRow) copy.#bytesPerRow.set(name, { ...range })
    for (const [name, range] of this.#rowsPerId) copy.#rowsPerId.set(name, { ...range })
    return copy
  }

  /** What was learned, as JSON, without guesses. */
  toJSON() {
    return {
      bytesPerRow: learnedIn(this.#bytesPerRow),
      rowsPerId: learnedIn(this.#rowsPerId),
      prices: this.#prices.toJSON(),
    }
  }

  /** Estimates that start from saved ones. Invalid figures are ignored. */
  static from(learned: object): Estimates {
    const given = new Map<string, unknown>(Object.entries(learned))
    const estimates = new Estimates(Prices.from(given.get('prices')))
    fill(estimates.#bytesPerRow, given.get('bytesPerRow'))
    fill(estimates.#rowsPerId, given.get('rowsPerId'))
    return estimates
  }

  #bytesOf(operation: Operation): Range {
    const name = rowName(operation)
    return this.#bytesPerRow.get(name) ?? added(this.#bytesPerRow, name, guess(operation.rowBytes, 1.5))
  }

  #rowsOf(operation: Operation, form: string): Range {
    // A day has as many games by one operation as by another.
    const name = `${operation.yields} ${form}`
    return this.#rowsPerId.get(name) ?? added(this.#rowsPerId, name, rowsAtFirst(operation, form))
  }

  /** A guess by the number of the division's conferences, if an answer has shown it. */
  #rowsOfDivision({ rows }: Operation, form: string): Range | null {
    const ofConference = rows?.[form]?.[2]
    if (ofConference === undefined) return null
    const { figures, usual } = this.#rowsOf(operations.readLeagueConferences, '')
    return figures > 1 ? guess(ofConference * usual, 2) : null
  }
}

const rowNames = new WeakMap<Operation, string>()

/** An operation and the rows that it yields. */
function rowName(operation: Operation): string {
  let name = rowNames.get(operation)
  if (name === undefined) rowNames.set(operation, (name = `${nameOf(operation)} ${operation.yields}`))
  return name
}

const learnedIn = (ranges: ReadonlyMap<string, Range>): Readonly<Record<string, Range>> =>
  Object.fromEntries([...ranges].filter(([, { figures }]) => figures > 1))

function fill(ranges: Map<string, Range>, given: unknown): void {
  for (const [name, range] of Object.entries(given ?? {})) if (isRange(range)) ranges.set(name, { ...range })
}

function isRange(value: unknown): value is Range {
  const names = ['least', 'usual', 'most', 'safe', 'figures']
  const figures = new Map<string, unknown>(Object.entries(value ?? {}))
  return names.every((name) => {
    const figure = figures.get(name)
    return typeof figure === 'number' && figure >= 0 && Number.isFinite(figure)
  })
}

function added(ranges: Map<string, Range>, name: string, range: Range): Range {
  ranges.set(name, range)
  return range
}

/** Adds a value to a range. */
function widen(range: Range, figure: number): void {
  range.figures += 1
  range.usual += Math.max(leastWeight, 1 / range.figures) * (figure - range.usual)
  range.safe = Math.max(range.figures > 2 ? range.safe : figure, figure, range.usual)
  range.least = Math.min(range.least, figure)
  range.most = Math.max(range.most, figure)
}
