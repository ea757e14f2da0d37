import type { TableName } from '../specification/tables.ts'
import type { Freshness } from './freshness.ts'
import type { GameState } from './game-state.ts'
import { isSet, numberOf, textOf } from './values.ts'
import type { RowCache } from './row-cache.ts'
import type { Entry } from './entry.ts'
import { idIn } from './keys.ts'
import type { Purchase } from './purchase.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** Learns what a row tells of its game and its season, and returns the row's freshness. */
export function freshnessOf(purchase: Purchase, table: TableName, row: RawRow, entry: Entry): Freshness {
  const { cache, boughtAt: now, arguments: values } = purchase
  const { fresh } = cache
  switch (table) {
    case 'game':
      return learnGame(purchase, row, cache.stateOf(entry))
    case 'odds':
      return cache.game(textOf(row['game_id']))
    case 'prediction':
      // It is reached only through its game, which decides when to ask again.
      return fresh.likeOwner
    case 'boxscore':
    case 'player_boxscore':
      if (isSet(row['final'])) fresh.seasons.notePlayed(row, now)
      return boxscoreFreshness(cache.game(textOf(row['game_id'])), row, now)
    case 'elo':
      return seriesFreshness(cache, row, row['date_of_entry'], now)
    case 'cbb_transfer_player_season':
      return fresh.ofSeason(null, row['season'])
    case 'player_team_season':
      return fresh.likeOwner
    default:
      if (!table.endsWith('statistic_ranking')) return fresh.reference
      if (!isSet(row['career']))
        seriesFreshness(
          cache,
          { organization_id: values['organization_id'], ...row },
          row['date_of_rank'],
          now,
        )
      return fresh.likeOwner
  }
}

/** A score entry has no day of its game, but the call may have one. */
function learnGame(
  { cache, boughtAt, arguments: values }: Purchase,
  row: RawRow,
  state: GameState,
): Freshness {
  if (cache.isRestoring && state.toldAt > boughtAt) state.learnOlder(row, values['start_date'])
  else state.learn(row, boughtAt, values['start_date'])
  cache.fresh.seasons.note(row, row['start_datetime'] ?? row['start_date'], played, boughtAt)
  return state
}

const played = { isPlayed: true }

/** A final boxscore shows that the game is over. Others may change after its end. */
function boxscoreFreshness(game: GameState, row: RawRow, now: number): Freshness {
  if (!isSet(row['final'])) return game.unsettled
  game.learnFinal(now)
  return game
}

/** A row of a series that goes on through the season. Only the current row may get a successor. */
function seriesFreshness(cache: RowCache, row: RawRow, date: unknown, now: number): Freshness {
  const isCurrent = isSet(row['current'])
  cache.fresh.seasons.note(row, date, { isPlayed: isAfterGames(row), isSeries: isCurrent }, now)
  return isCurrent ? cache.fresh.ofSeason(row['organization_id'], row['season']) : cache.fresh.kept
}

/**
 * Ratings and rankings may begin before the first game of a season: they then name no game, or count none.
 */
const isAfterGames = ({ elo, game_id, games }: RawRow): boolean =>
  elo === undefined ? games === undefined || numberOf(games) > 0 : idIn(game_id) !== null
