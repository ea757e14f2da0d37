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

/** The names of statistics, in both spellings made one. */
type Names = ReadonlySet<string>

const named = (...lists: readonly (readonly string[])[]): Names => new Set(lists.flat().map(plain))

/** Averages of football that follow from its boxscores; the specification shows no statistic of football. */
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
 * Whether a leaderboard may have a statistic of that name, before any row of it was seen: one of
 * basketball's, which the specification lists, or one that football's boxscores imply. An organization's
 * sport is not known by its id, so both count everywhere.
 */
export const mayHaveStatistic = (ranks: 'teams' | 'players', name: string): boolean =>
  (ranks === 'teams' ? ofTeams : ofPlayers).has(plain(name))
