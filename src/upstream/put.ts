import type { Columns } from '../specification/columns.ts'
import { keyOf, tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import type { Body } from './answer.ts'
import { freshFor, gameFreshUntil, gameState, rowFreshUntil } from './freshness.ts'
import type { GameState } from './freshness.ts'
import { operations, suppliedBy } from './operations.ts'
import type { Arguments, Operation } from './operations.ts'
import { isRow } from './entry.ts'
import type { RawRow } from './entry.ts'
import type { World } from './world.ts'

const everyColumn = (table: TableName) => new Set(Object.keys(tables[table]))
const whole = {
  game: everyColumn('game'),
  prediction: everyColumn('prediction'),
  odds: everyColumn('odds'),
  team: everyColumn('team'),
  teamElsewhere: suppliedBy(operations.readTeams),
}

/** Keeps every row of an answer, nested ones too, and returns the keys of the outermost, in the service's order. */
export function putAnswer(
  world: World,
  operation: Operation,
  values: Arguments,
  body: Body,
  now: number,
): readonly string[] {
  const { yields } = operation
  if (yields === 'search' || operation.apart) return []
  const keys = new Set<string>()
  for (const row of rowsOf(operation, values, body)) {
    const key = putRow(world, yields, row, suppliedBy(operation), now)
    if (key !== null) keys.add(key)
  }
  return [...keys]
}

function rowsOf(operation: Operation, values: Arguments, body: Body): readonly RawRow[] {
  const id = keyOf(operation.yields as TableName) // a search is not kept as rows
  if (operation.answer === 'rows') return rowsIn(body, id)
  const supplies = suppliedBy(operation)
  // The specification does not show the key of each class of statistics: a row without one is known by what it was asked by.
  const key = String(values[id] ?? Object.values(values).join(':'))
  return Object.keys(body).some((name) => supplies.has(name)) ? [withKey(body, id, key)] : []
}

/** The rows of a keyed answer, each with its own id, which one may leave to its key. */
function rowsIn(body: RawRow, id: string): readonly RawRow[] {
  const rows: RawRow[] = []
  for (const key of Object.keys(body)) {
    const row = body[key]
    if (isRow(row)) rows.push(withKey(row, id, key))
  }
  return rows
}

const withKey = (row: RawRow, id: string, key: string): RawRow =>
  row[id] == null ? { ...row, [id]: key } : row

/** Keeps one row and what is nested in it. Answers with its key; null where it has none. */
export function putRow(
  world: World,
  table: TableName,
  row: RawRow,
  supplies: ReadonlySet<string>,
  now: number,
): string | null {
  const key = idIn(row[keyOf(table)])
  if (key === null) return null
  row = withTextKeys(table, row)
  const entry = world.rows.entry(table, key)
  const game = gameOf(world, table, row, now)
  entry.put(row, supplies, rowFreshUntil(table, row, game, now))
  if (isRow(row['teams'])) putTeams(world, row['teams'], now)
  if (isRow(row['game']))
    putRow(world, 'game', withKey(row['game'], 'game_id', String(row['game_id'])), whole.game, now)
  if (supplies === suppliedBy(operations.getScores)) putLine(world, key, row, now)
  if (table === 'player_boxscore') putName(world, row, now)
  return key
}

const keyColumns = new Map(
  Object.entries<Columns>(tables).map(([table, columns]) => [
    table,
    Object.keys(columns).filter((name) => columns[name]?.kind === 'key'),
  ]),
)

/** A row whose keys are text, as the specification has them, whichever type they came in. */
function withTextKeys(table: TableName, row: RawRow): RawRow {
  const names = keyColumns.get(table) ?? []
  if (!names.some((name) => typeof row[name] === 'number')) return row
  const numeric = names.filter((name) => typeof row[name] === 'number')
  return { ...row, ...Object.fromEntries(numeric.map((name) => [name, String(row[name])])) }
}

const named = new Set(['player_id', 'first_name', 'last_name'])

/** A boxscore says its player's name, which is then known without the player's row. */
function putName(world: World, { player_id, first_name, last_name }: RawRow, now: number): void {
  const key = idIn(player_id)
  if (key === null || first_name === undefined || last_name === undefined) return
  world.rows
    .entry('player', key)
    .put({ player_id: key, first_name, last_name }, named, now + freshFor.reference)
}

/** An id as a string, whichever type it came in. */
const idIn = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

/** The state of the game that a row is, or belongs to; null where neither matters or is known. */
function gameOf(world: World, table: TableName, row: RawRow, now: number): GameState | null {
  if (table === 'odds' || table === 'prediction') return knownGame(world, String(row['game_id']), now)
  if (table !== 'game') return null
  // A score entry says nothing of its game's start, which another operation may have brought.
  const entry = world.rows.entry('game', String(row['game_id']))
  return gameState((name) => row[name] ?? entry.column(name, now))
}

/** What is known of a game's state; null where nothing is. */
export function knownGame(world: World, gameId: string, now: number): GameState | null {
  const entry = world.rows.entry('game', gameId)
  if (entry.column('status', now) === undefined) return null
  return gameState((name) => entry.column(name, now))
}

function putTeams(world: World, teams: RawRow, now: number): void {
  for (const team of rowsIn(teams, 'team_id')) {
    const supplies = Object.hasOwn(team, 'conference_id') ? whole.team : whole.teamElsewhere
    putRow(world, 'team', team, supplies, now)
  }
}

/** A score entry's prediction and current odds: rows of their own, and facets of the game. */
function putLine(world: World, gameId: string, nested: RawRow, now: number): void {
  const entry = world.rows.entry('game', gameId)
  const odds = isRow(nested['odds']) ? nested['odds'] : {}
  const state = knownGame(world, gameId, now)
  const freshUntil = state ? gameFreshUntil(state, now) : now + freshFor.live
  // What was predicted before the game does not move with it.
  const predicted = Math.max(freshUntil, now + freshFor.current)
  entry.putFacet(
    'prediction',
    putOf(world, 'prediction', nested['prediction'], gameId, 'pre', now),
    predicted,
  )
  for (const name of ['pre', 'live'])
    entry.putFacet(name, putOf(world, 'odds', odds[name], gameId, name, now), freshUntil)
}

/** Keeps a row that belongs to a game, and answers with its key; null where it is none. */
function putOf(
  world: World,
  table: 'odds' | 'prediction',
  row: unknown,
  game_id: string,
  place: string,
  now: number,
): string | null {
  if (!isRow(row) || Object.keys(row).length === 0) return null
  const own = withKey(withKey(row, keyOf(table), `${game_id}:${place}`), 'game_id', game_id)
  return putRow(world, table, own, whole[table], now)
}
