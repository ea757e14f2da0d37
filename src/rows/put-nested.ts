import { tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { suppliedBy } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Operation } from '../specification/operation.ts'
import { gameSlots } from './game-slots.ts'
import { isSet, textOf } from './values.ts'
import { isRow } from './entry.ts'
import type { Entry } from './entry.ts'
import { idIn, ids, withKey } from './keys.ts'
import type { Purchase } from './purchase.ts'
import { putRow } from './put-row.ts'
import type { RawRow } from '../specification/raw-row.ts'

const everyColumn = (table: TableName) => new Set(Object.keys(tables[table]))
const whole = {
  game: everyColumn('game'),
  prediction: everyColumn('prediction'),
  odds: everyColumn('odds'),
  team: everyColumn('team'),
  teamElsewhere: suppliedBy(operations.readTeams),
}

/** Stores the rows that an operation nests in another row. `inner` is the purchase for nested rows. */
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

/** Stores a score entry's prediction and current odds as rows, and their keys in slots of the game. */
function putLine(purchase: Purchase, inner: Purchase, game: Entry, nested: RawRow): void {
  const { cache, boughtAt } = purchase
  const odds = isRow(nested['odds']) ? nested['odds'] : {}
  notePrediction(purchase, nested['prediction'])
  const predicted = putOf(inner, 'prediction', nested['prediction'], game, 'pre')
  gameSlots.prediction.put(cache, game, predicted, boughtAt)
  gameSlots.pre.put(cache, game, putOf(inner, 'odds', odds['pre'], game, 'pre'), boughtAt)
  gameSlots.live.put(cache, game, putOf(inner, 'odds', odds['live'], game, 'live'), boughtAt)
}

const notPlayed = { isPlayed: false }

/**
 * The date of a prediction shows that the season was not over then. A score entry has no start of its game.
 */
function notePrediction({ cache, boughtAt, arguments: values }: Purchase, prediction: unknown): void {
  if (!isRow(prediction)) return
  const { organization_id = values['organization_id'], season = values['season'] } = prediction
  cache.fresh.seasons.note({ organization_id, season }, prediction['date_of_entry'], notPlayed, boughtAt)
}

const noKeys: readonly string[] = []

/**
 * Stores a row that belongs to a game. Returns its key; none if it is not a row, is withdrawn or belongs to another game.
 * If its id is taken by another game's row, or by the game's other line, its key is made from its place.
 */
function putOf(
  purchase: Purchase,
  table: 'odds' | 'prediction',
  row: unknown,
  { key: game_id }: Entry,
  place: string,
): readonly string[] {
  if (!isRow(row) || isEmpty(row) || isSet(row['deleted'])) return noKeys
  const id = ids[table]
  const own = withKey(row, 'game_id', game_id)
  if (idIn(own['game_id']) !== game_id) return noKeys
  const hasId = row[id] != null && !isTaken(purchase.cache.rows.find(table, textOf(row[id])), own)
  const entry = putRow(purchase, table, hasId ? own : { ...own, [id]: `${game_id}:${place}` }, whole[table])
  return entry ? [entry.key] : noKeys
}

/** Whether the known row with this id is another one. Neither of the compared columns ever changes. */
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
