import type { Columns } from '../specification/columns.ts'
import { keyOf, tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { after } from '../rows/freshness.ts'
import type { Freshness } from '../rows/freshness.ts'
import { gameSlots } from '../rows/game-slots.ts'
import type { GameState } from '../rows/game-state.ts'
import type { Body } from './answer.ts'
import { operations, suppliedBy } from '../specification/operations.ts'
import type { Arguments, Operation } from '../specification/operations.ts'
import { several } from './encode.ts'
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
    const key = putRow(world, yields, row, suppliedBy(operation), now, values)
    if (key !== null) keys.add(key)
  }
  if (operation.byKey) noteMissing(world, yields, several(values[keyOf(yields)] ?? []), keys, now)
  return [...keys]
}

/** Notes that there are no rows of keys that were asked for and not found. */
export function noteMissing(
  world: World,
  table: TableName,
  asked: readonly (string | number)[],
  found: ReadonlySet<string>,
  boughtAt: number,
): void {
  const until = after(boughtAt, world.fresh.freshFor.current)
  for (const key of asked) {
    const entry = found.has(String(key)) ? null : world.rows.entry(table, String(key))
    if (entry && !(world.isReplaying && entry.boughtAt > boughtAt)) entry.putMissing(until)
  }
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

/**
 * Keeps one row, bought at that moment, and what is nested in it; `values` are the arguments of its call. Answers with its key; null
 * where it has none.
 */
export function putRow(
  world: World,
  table: TableName,
  row: RawRow,
  supplies: ReadonlySet<string>,
  now: number,
  values: Arguments = {},
): string | null {
  const key = idIn(row[keyOf(table)])
  if (key === null) return null
  row = withTextKeys(table, row)
  const entry = world.rows.entry(table, key)
  const freshness = freshnessOf(world, table, row, values, now)
  if (world.isReplaying && entry.boughtAt > now) entry.putOlder(row, supplies, freshness, now)
  else entry.put(row, supplies, freshness, now)
  if (isRow(row['teams'])) putTeams(world, row['teams'], now)
  if (isRow(row['game']))
    putRow(world, 'game', withKey(row['game'], 'game_id', String(row['game_id'])), whole.game, now)
  if (supplies === suppliedBy(operations.getScores)) putLine(world, key, row, values, now)
  if (table === 'player_boxscore') putName(world, row, now)
  return key
}

/** Learns what a row tells of its game and its season, and decides what it ages with. */
function freshnessOf(world: World, table: TableName, row: RawRow, values: Arguments, now: number): Freshness {
  const { fresh } = world
  switch (table) {
    case 'game':
      return learnGame(world, row, values, now)
    case 'odds':
      return world.game(String(row['game_id']))
    case 'prediction':
      // Reached through its game alone, which decides when to ask again, and may be served as it was meanwhile.
      return fresh.likeOwner
    case 'boxscore':
    case 'player_boxscore':
      if (Number(row['final']) === 1) fresh.seasons.notePlayed(row, now)
      return boxscoreFreshness(world.game(String(row['game_id'])), row, now)
    case 'elo':
      return seriesFreshness(world, row, row['date_of_entry'], now)
    case 'cbb_transfer_player_season':
      return fresh.ofSeason(null, row['season'])
    case 'player_team_season':
      return fresh.likeOwner
    default:
      if (!table.endsWith('statistic_ranking')) return fresh.reference
      if (Number(row['career']) !== 1)
        seriesFreshness(
          world,
          { organization_id: values['organization_id'], ...row },
          row['date_of_rank'],
          now,
        )
      return fresh.likeOwner
  }
}

/** A score entry says nothing of its game's day, which the call may. */
function learnGame(world: World, row: RawRow, values: Arguments, now: number): Freshness {
  const state = world.game(String(row['game_id']))
  if (world.isReplaying && state.toldAt > now) state.learnOlder(row, values['start_date'])
  else state.learn(row, now, values['start_date'])
  world.fresh.seasons.note(row, row['start_datetime'] ?? row['start_date'], { isPlayed: true }, now)
  return state
}

/** Numbers that say they are final tell that the game is over; those that say they are not may change after its end. */
function boxscoreFreshness(game: GameState, row: RawRow, now: number): Freshness {
  if (Number(row['final']) !== 1) return game.unsettled
  game.learnFinal(now)
  return game
}

/** A row of a series that goes on through the season: only its current row may still be followed by another. */
function seriesFreshness(world: World, row: RawRow, date: unknown, now: number): Freshness {
  const isCurrent = Number(row['current']) === 1
  world.fresh.seasons.note(row, date, { isPlayed: isAfterGames(row), isSeries: isCurrent }, now)
  return isCurrent ? world.fresh.ofSeason(row['organization_id'], row['season']) : world.fresh.kept
}

/** Ratings and rankings may begin before the first game of a season: a rating without a game, a ranking of no games. */
const isAfterGames = ({ elo, game_id, games }: RawRow): boolean =>
  elo === undefined ? games === undefined || Number(games) > 0 : idIn(game_id) !== null

const keyColumns = new Map(
  Object.entries<Columns>(tables).map(([table, columns]) => [
    table,
    Object.keys(columns).filter((name) => columns[name]?.kind === 'key'),
  ]),
)

/** Converts a row's keys to text, as the specification has them. */
function withTextKeys(table: TableName, row: RawRow): RawRow {
  const names = keyColumns.get(table) ?? []
  let copy: Record<string, unknown> | null = null
  for (const name of names) {
    if (typeof row[name] !== 'number') continue
    copy ??= { ...row }
    copy[name] = String(row[name])
  }
  return copy ?? row
}

const named = new Set(['player_id', 'first_name', 'last_name'])

/** A boxscore says its player's name, which is then known without the player's row. */
function putName(world: World, { player_id, first_name, last_name }: RawRow, now: number): void {
  const key = idIn(player_id)
  if (key === null || first_name === undefined || last_name === undefined) return
  world.rows
    .entry('player', key)
    .put({ player_id: key, first_name, last_name }, named, world.fresh.reference, now)
}

/** An id as a string. */
const idIn = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

function putTeams(world: World, teams: RawRow, now: number): void {
  for (const team of rowsIn(teams, 'team_id')) {
    const supplies = Object.hasOwn(team, 'conference_id') ? whole.team : whole.teamElsewhere
    putRow(world, 'team', team, supplies, now)
  }
}

/** A score entry's prediction and current odds: rows of their own, and facets of the game. */
function putLine(world: World, gameId: string, nested: RawRow, values: Arguments, now: number): void {
  const entry = world.rows.entry('game', gameId)
  const odds = isRow(nested['odds']) ? nested['odds'] : {}
  notePrediction(world, nested['prediction'], values, now)
  const predicted = putOf(world, 'prediction', nested['prediction'], gameId, 'pre', now)
  gameSlots.prediction.put(world, entry, predicted, now)
  for (const name of ['pre', 'live'] as const)
    gameSlots[name].put(world, entry, putOf(world, 'odds', odds[name], gameId, name, now), now)
}

/** A score entry without its game's start tells when its season was still played; the prediction is older than the game. */
function notePrediction(
  { fresh }: World,
  prediction: unknown,
  { organization_id, season }: Arguments,
  now: number,
): void {
  if (!isRow(prediction)) return
  const { organization_id: organization = organization_id, season: year = season } = prediction
  const told = { organization_id: organization, season: year }
  fresh.seasons.note(told, prediction['date_of_entry'], { isPlayed: false }, now)
}

/** Keeps a row that belongs to a game, and answers with its key; with none where it is no row. */
function putOf(
  world: World,
  table: 'odds' | 'prediction',
  row: unknown,
  game_id: string,
  place: string,
  now: number,
): readonly string[] {
  if (!isRow(row) || Object.keys(row).length === 0) return []
  const own = withKey(withKey(row, keyOf(table), `${game_id}:${place}`), 'game_id', game_id)
  const key = putRow(world, table, own, whole[table], now)
  return key === null ? [] : [key]
}
