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
import type { Entry, RawRow } from './entry.ts'
import type { Account } from './account.ts'
import { isSet, numberOf, textOf } from '../rows/values.ts'

const everyColumn = (table: TableName) => new Set(Object.keys(tables[table]))
const whole = {
  game: everyColumn('game'),
  prediction: everyColumn('prediction'),
  odds: everyColumn('odds'),
  team: everyColumn('team'),
  teamElsewhere: suppliedBy(operations.readTeams),
}

/** Measured: a row, parsed, takes about twice the bytes of its JSON. */
const bytesPerByte = 2

/** An answer whose rows are kept. */
export interface Purchase {
  readonly account: Account
  readonly boughtAt: number
  /** The arguments of its call. */
  readonly arguments: Arguments
  /** What a row takes in memory, the rows nested in it included. */
  readonly rowBytes: number
}

/** A purchase as the rows see it that are nested in others: they were not asked for, and weigh nothing more. */
const nestedIn = ({ account, boughtAt }: Purchase): Purchase => ({
  account,
  boughtAt,
  arguments: {},
  rowBytes: 0,
})

/** Keeps every row of an answer, nested ones too, and returns the keys of the outermost, in the service's order. */
export function putAnswer(
  account: Account,
  operation: Operation,
  values: Arguments,
  body: Body,
  boughtAt: number,
  bytes: number,
): readonly string[] {
  const { yields } = operation
  if (yields === 'search' || operation.separate) return []
  const rows = rowsOf(operation, values, body)
  const rowBytes = Math.ceil((bytesPerByte * bytes) / Math.max(1, rows.length))
  const purchase = { account, boughtAt, arguments: values, rowBytes }
  const supplies = suppliedBy(operation)
  const keys = new Set<string>()
  for (const row of rows) {
    const entry = putRow(purchase, yields, row, supplies)
    if (entry) keys.add(entry.key)
  }
  if (operation.byKey) noteMissing(account, yields, several(values[keyOf(yields)] ?? []), keys, boughtAt)
  return [...keys]
}

/** Notes that there are no rows of keys that were asked for and not found. */
export function noteMissing(
  account: Account,
  table: TableName,
  asked: readonly (string | number)[],
  found: ReadonlySet<string>,
  boughtAt: number,
): void {
  const until = after(boughtAt, account.fresh.freshFor.current)
  for (const key of asked) {
    const entry = found.has(String(key)) ? null : account.rows.entry(table, String(key))
    if (entry && !(account.isReplaying && entry.boughtAt > boughtAt)) entry.putMissing(until)
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

const scoreSupplies = suppliedBy(operations.getScores)

/** Keeps one row and what is nested in it. Answers with its entry; null where the row has no key. */
export function putRow(
  purchase: Purchase,
  table: TableName,
  given: RawRow,
  supplies: ReadonlySet<string>,
): Entry | null {
  const { account } = purchase
  const key = idIn(given[ids[table]])
  if (key === null) return null
  const row = withTextKeys(table, given)
  const entry = account.rows.entry(table, key)
  putIn(entry, row, supplies, freshnessOf(purchase, table, row, entry), purchase)
  if (isRow(row['teams'])) putTeams(nestedIn(purchase), row['teams'])
  if (isRow(row['game'])) {
    const game = withKey(row['game'], 'game_id', textOf(row['game_id']))
    putRow(nestedIn(purchase), 'game', game, whole.game)
  }
  if (supplies === scoreSupplies) putLine(purchase, entry, row)
  if (table === 'player_boxscore') putName(purchase, row)
  return entry
}

/** Keeps a row in its entry: as the newest, unless what is known was bought later. */
function putIn(
  entry: Entry,
  row: RawRow,
  supplies: ReadonlySet<string>,
  freshness: Freshness,
  { account, boughtAt, rowBytes }: Purchase,
): void {
  if (account.isReplaying && entry.boughtAt > boughtAt)
    entry.putOlder(row, supplies, freshness, boughtAt, rowBytes)
  else entry.put(row, supplies, freshness, boughtAt, rowBytes)
}

/** Learns what a row tells of its game and its season, and decides what it ages with. */
function freshnessOf(purchase: Purchase, table: TableName, row: RawRow, entry: Entry): Freshness {
  const { account, boughtAt: now, arguments: values } = purchase
  const { fresh } = account
  switch (table) {
    case 'game':
      return learnGame(purchase, row, account.stateOf(entry))
    case 'odds':
      return account.game(textOf(row['game_id']))
    case 'prediction':
      // Reached through its game alone, which decides when to ask again, and may be served as it was meanwhile.
      return fresh.likeOwner
    case 'boxscore':
    case 'player_boxscore':
      if (isSet(row['final'])) fresh.seasons.notePlayed(row, now)
      return boxscoreFreshness(account.game(textOf(row['game_id'])), row, now)
    case 'elo':
      return seriesFreshness(account, row, row['date_of_entry'], now)
    case 'cbb_transfer_player_season':
      return fresh.ofSeason(null, row['season'])
    case 'player_team_season':
      return fresh.likeOwner
    default:
      if (!table.endsWith('statistic_ranking')) return fresh.reference
      if (!isSet(row['career']))
        seriesFreshness(
          account,
          { organization_id: values['organization_id'], ...row },
          row['date_of_rank'],
          now,
        )
      return fresh.likeOwner
  }
}

/** A score entry says nothing of its game's day, which the call may. */
function learnGame(
  { account, boughtAt, arguments: values }: Purchase,
  row: RawRow,
  state: GameState,
): Freshness {
  if (account.isReplaying && state.toldAt > boughtAt) state.learnOlder(row, values['start_date'])
  else state.learn(row, boughtAt, values['start_date'])
  account.fresh.seasons.note(row, row['start_datetime'] ?? row['start_date'], played, boughtAt)
  return state
}

const [played, notPlayed] = [{ isPlayed: true }, { isPlayed: false }]

/** Numbers that say they are final tell that the game is over; those that say they are not may change after its end. */
function boxscoreFreshness(game: GameState, row: RawRow, now: number): Freshness {
  if (!isSet(row['final'])) return game.unsettled
  game.learnFinal(now)
  return game
}

/** A row of a series that goes on through the season: only its current row may still be followed by another. */
function seriesFreshness(account: Account, row: RawRow, date: unknown, now: number): Freshness {
  const isCurrent = isSet(row['current'])
  account.fresh.seasons.note(row, date, { isPlayed: isAfterGames(row), isSeries: isCurrent }, now)
  return isCurrent ? account.fresh.ofSeason(row['organization_id'], row['season']) : account.fresh.kept
}

/** Ratings and rankings may begin before the first game of a season: a rating without a game, a ranking of no games. */
const isAfterGames = ({ elo, game_id, games }: RawRow): boolean =>
  elo === undefined ? games === undefined || numberOf(games) > 0 : idIn(game_id) !== null

const tableNames = Object.keys(tables) as TableName[] // Object.keys forgets the names

const byTable = <V>(valueOf: (table: TableName) => V) =>
  Object.fromEntries(tableNames.map((table) => [table, valueOf(table)])) as Readonly<Record<TableName, V>> // of all tables

const ids = byTable(keyOf)

const keyColumns = byTable((table): readonly string[] => {
  const columns: Columns = tables[table]
  return Object.keys(columns).filter((name) => columns[name]?.kind === 'key')
})

/** Converts a row's keys to text, as the specification has them. */
function withTextKeys(table: TableName, row: RawRow): RawRow {
  let copy: Record<string, unknown> | null = null
  for (const name of keyColumns[table]) {
    if (typeof row[name] !== 'number') continue
    copy ??= { ...row }
    copy[name] = String(row[name])
  }
  return copy ?? row
}

const named = new Set(['player_id', 'first_name', 'last_name'])

/** Bytes of a row that has a name alone. */
const nameBytes = 200

/** A boxscore says its player's name, which is then known without the player's row. */
function putName({ account, boughtAt }: Purchase, { player_id, first_name, last_name }: RawRow): void {
  const key = idIn(player_id)
  if (key === null || first_name === undefined || last_name === undefined) return
  const row = { player_id: key, first_name, last_name }
  account.rows.entry('player', key).put(row, named, account.fresh.reference, boughtAt, nameBytes)
}

/** An id as a string. */
const idIn = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null

function putTeams(purchase: Purchase, teams: RawRow): void {
  for (const key of Object.keys(teams)) {
    const row = teams[key]
    if (!isRow(row)) continue
    const supplies = Object.hasOwn(row, 'conference_id') ? whole.team : whole.teamElsewhere
    putRow(purchase, 'team', withKey(row, 'team_id', key), supplies)
  }
}

/** A score entry's prediction and current odds: rows of their own, and slots of the game. */
function putLine(purchase: Purchase, game: Entry, nested: RawRow): void {
  const { account, boughtAt } = purchase
  const odds = isRow(nested['odds']) ? nested['odds'] : {}
  notePrediction(purchase, nested['prediction'])
  const inner = nestedIn(purchase)
  const predicted = putOf(inner, 'prediction', nested['prediction'], game, 'pre')
  gameSlots.prediction.put(account, game, predicted, boughtAt)
  gameSlots.pre.put(account, game, putOf(inner, 'odds', odds['pre'], game, 'pre'), boughtAt)
  gameSlots.live.put(account, game, putOf(inner, 'odds', odds['live'], game, 'live'), boughtAt)
}

/** A score entry without its game's start tells when its season was still played; the prediction is older than the game. */
function notePrediction({ account, boughtAt, arguments: values }: Purchase, prediction: unknown): void {
  if (!isRow(prediction)) return
  const { organization_id = values['organization_id'], season = values['season'] } = prediction
  account.fresh.seasons.note({ organization_id, season }, prediction['date_of_entry'], notPlayed, boughtAt)
}

const noKeys: readonly string[] = []

/**
 * Keeps a row that belongs to a game, and answers with its key; with none where it is no row, or one of another game. A row that has the
 * id of another game's, or of the game's other line, is kept by its place.
 */
function putOf(
  purchase: Purchase,
  table: 'odds' | 'prediction',
  row: unknown,
  { key: game_id }: Entry,
  place: string,
): readonly string[] {
  if (!isRow(row) || isEmpty(row)) return noKeys
  const id = ids[table]
  const own = withKey(row, 'game_id', game_id)
  if (idIn(own['game_id']) !== game_id) return noKeys
  const hasId = row[id] != null && !isTaken(purchase.account.rows.find(table, textOf(row[id])), own)
  const entry = putRow(purchase, table, hasId ? own : { ...own, [id]: `${game_id}:${place}` }, whole[table])
  return entry ? [entry.key] : noKeys
}

/** Whether what is known by a row's id contradicts it. Neither of these columns ever changes. */
const isTaken = (known: Entry | undefined, row: RawRow): boolean =>
  known !== undefined && (differs(known, 'game_id', row) || differs(known, 'live', row))

function differs(known: Entry, name: string, { [name]: value }: RawRow): boolean {
  const before = known.column(name, 0)
  return before !== undefined && value !== undefined && textOf(before) !== textOf(value)
}

function isEmpty(row: RawRow): boolean {
  for (const _name in row) return false
  return true
}
