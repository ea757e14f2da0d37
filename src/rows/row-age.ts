import type { TableName } from '../specification/tables.ts'
import type { Freshness } from './freshness.ts'
import type { GameState } from './game-state.ts'
import { isSet, numberOf, textOf } from './values.ts'
import type { RowCache } from './row-cache.ts'
import type { Entry } from './entry.ts'
import { idIn } from './keys.ts'
import type { Purchase } from './purchase.ts'
import type { RawRow } from '../specification/raw-row.ts'

type Rule = (purchase: Purchase, row: RawRow, entry: Entry) => Freshness

const reference: Rule = ({ cache }) => cache.fresh.reference

/** Rows that are reached only through their owner, which decides when to ask again. */
const likeOwner: Rule = ({ cache }) => cache.fresh.likeOwner

const boxscore: Rule = ({ cache, boughtAt }, row) => {
  if (isSet(row['final'])) cache.fresh.seasons.notePlayed(row, boughtAt)
  return boxscoreFreshness(cache.game(textOf(row['game_id'])), row, boughtAt)
}

const statistics: Rule = ({ cache, boughtAt, arguments: values }, row) => {
  if (!isSet(row['career']))
    seriesFreshness(
      cache,
      { organization_id: values['organization_id'], division_id: values['division_id'], ...row },
      row['date_of_rank'],
      boughtAt,
    )
  return cache.fresh.likeOwner
}

/** How long a row of each table is fresh. A table without a rule does not compile. */
const rules: { readonly [T in TableName]: Rule } = {
  organization: reference,
  division: reference,
  team: reference,
  game: (purchase, row, entry) => learnGame(purchase, row, purchase.cache.stateOf(entry)),
  prediction: likeOwner,
  odds: ({ cache }, row) => cache.game(textOf(row['game_id'])),
  elo: ({ cache, boughtAt }, row) => seriesFreshness(cache, row, row['date_of_entry'], boughtAt),
  player: reference,
  player_team_season: likeOwner,
  cbb_transfer_player_season: ({ cache }, row) => cache.fresh.ofSeason(null, row['season']),
  coach: reference,
  conference: reference,
  boxscore,
  player_boxscore: boxscore,
  statistic_ranking: statistics,
  player_statistic_ranking: statistics,
  coach_statistic_ranking: statistics,
  conference_statistic_ranking: statistics,
  league_statistic_ranking: statistics,
  conference_player_statistic_ranking: statistics,
  league_player_statistic_ranking: statistics,
}

/** Learns what a row tells of its game and its season, and returns the row's freshness. */
export const freshnessOf = (purchase: Purchase, table: TableName, row: RawRow, entry: Entry): Freshness =>
  rules[table](purchase, row, entry)

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
