import { tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { operations, suppliedBy } from '../specification/operations.ts'
import type { Operation } from '../specification/operations.ts'
import { gameSlots } from '../rows/game-slots.ts'
import { textOf } from '../rows/values.ts'
import { isRow } from './entry.ts'
import type { Entry, RawRow } from './entry.ts'
import { idIn, ids, withKey } from './keys.ts'
import type { Purchase } from './purchase.ts'
import { putRow } from './put-row.ts'

const everyColumn = (table: TableName) => new Set(Object.keys(tables[table]))
const whole = {
  game: everyColumn('game'),
  prediction: everyColumn('prediction'),
  odds: everyColumn('odds'),
  team: everyColumn('team'),
  teamElsewhere: suppliedBy(operations.readTeams),
}

/** Keeps the rows that an operation nests in one of its own. `inner` is the purchase as they see it. */
export function putNested(
  purchase: Purchase,
  inner: Purchase,
  nests: NonNullable<Operation['nests']>,
  row: RawRow,
  entry: Entry,
): void {
  if (nests === 'lines') putLine(purchase, inner, entry, row)
  else if (nests === 'teams') putTeams(inner, row['teams'])
  else if (isRow(row['game'])) {
    const { game } = row
    putRow(inner, 'game', withKey(game, 'game_id', textOf(game['game_id'])), whole.game)
    putTeams(inner, game['teams'])
  }
}

function putTeams(purchase: Purchase, teams: unknown): void {
  if (!isRow(teams)) return
  for (const key of Object.keys(teams)) {
    const row = teams[key]
    if (!isRow(row)) continue
    const supplies = Object.hasOwn(row, 'conference_id') ? whole.team : whole.teamElsewhere
    putRow(purchase, 'team', withKey(row, 'team_id', key), supplies)
  }
}

/** A score entry's prediction and current odds: rows of their own, and slots of the game. */
function putLine(purchase: Purchase, inner: Purchase, game: Entry, nested: RawRow): void {
  const { account, boughtAt } = purchase
  const odds = isRow(nested['odds']) ? nested['odds'] : {}
  notePrediction(purchase, nested['prediction'])
  const predicted = putOf(inner, 'prediction', nested['prediction'], game, 'pre')
  gameSlots.prediction.put(account, game, predicted, boughtAt)
  gameSlots.pre.put(account, game, putOf(inner, 'odds', odds['pre'], game, 'pre'), boughtAt)
  gameSlots.live.put(account, game, putOf(inner, 'odds', odds['live'], game, 'live'), boughtAt)
}

const notPlayed = { isPlayed: false }

/**
 * A score entry without its game's start tells when its season was still played; the prediction is older than
 * the game.
 */
function notePrediction({ account, boughtAt, arguments: values }: Purchase, prediction: unknown): void {
  if (!isRow(prediction)) return
  const { organization_id = values['organization_id'], season = values['season'] } = prediction
  account.fresh.seasons.note({ organization_id, season }, prediction['date_of_entry'], notPlayed, boughtAt)
}

const noKeys: readonly string[] = []

/**
 * Keeps a row that belongs to a game, and answers with its key; with none where it is no row, or one of
 * another game. A row that has the id of another game's, or of the game's other line, is kept by its place.
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
