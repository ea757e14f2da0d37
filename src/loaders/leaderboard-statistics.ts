import { plain } from '../graph/names.ts'
import {
  basketballLine,
  footballLine,
  indices,
  opponentAverages,
  ownAverages,
  rankedCounts,
  rankedPlayerStatistics,
  unrankedCounts,
} from '../specification/statistics.ts'

/** Names of statistics, in a form that is the same for both spellings. */
type Names = ReadonlySet<string>

const named = (...lists: readonly (readonly string[])[]): Names => new Set(lists.flat().map(plain))

/** Averages that football's boxscores imply. The specification shows no football statistics. */
const footballAverages = [
  'third_down_percentage',
  'fourth_down_percentage',
  'plays',
  'total_yards',
  'yards_per_play',
  'turnover_margin',
] as const

const ofTeams = named(
  unrankedCounts,
  rankedCounts,
  indices,
  ownAverages,
  opponentAverages,
  ...[footballLine, footballAverages].map((names) => names.flatMap((name) => [name, `opponent_${name}`])),
)

const ofPlayers = named(
  ['games'],
  rankedPlayerStatistics,
  ...[basketballLine, footballLine].map((names) => names.flatMap((name) => [name, `${name}_per_game`])),
)

/**
 * Whether a leaderboard may have this statistic, before any of its rows is known: the specification lists
 * basketball's, and boxscores imply football's. The id of an organization does not tell its sport, so both
 * are accepted everywhere.
 */
export const mayHaveStatistic = (ranks: 'teams' | 'players', name: string): boolean =>
  (ranks === 'teams' ? ofTeams : ofPlayers).has(plain(name))
