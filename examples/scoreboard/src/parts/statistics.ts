import type { Subject } from '../routing/route.ts'
import { decimal, whole, wordsOf } from './numbers.ts'

interface Statistic {
  /** For the head of a narrow column. */
  readonly short: string
  readonly label: string
  /** What it counts, if that has to be explained. */
  readonly meaning?: string
  /** The least is the best. */
  readonly isLeastBest?: boolean
  /** Neither much nor little of it is good. */
  readonly isNeither?: boolean
  /** A player’s sum over a season, of which a team has the average a game: whole numbers stay whole. */
  readonly isSum?: boolean
}

const in100 = 'in 100 possessions; in football, in 100 plays'

/**
 * How statistics are called, by the service's columns, in the order of a roster's table. Of football's
 * players only kickers have the last one.
 */
const known: Readonly<Record<string, Statistic>> = {
  points: { short: 'Pts', label: 'Points a game' },
  opponent_points: { short: 'Opp', label: 'Points allowed a game', isLeastBest: true },
  three_point_field_goal_percentage: { short: '3P%', label: 'Three-point %' },
  free_throw_percentage: { short: 'FT%', label: 'Free throw %' },
  total_rebounds: { short: 'Reb', label: 'Rebounds a game' },
  assists: { short: 'Ast', label: 'Assists a game' },
  steals: { short: 'Stl', label: 'Steals a game' },
  blocks: { short: 'Blk', label: 'Blocks a game' },
  turnovers: { short: 'TO', label: 'Turnovers a game', isLeastBest: true },
  first_downs: { short: '1st', label: 'First downs a game' },
  third_down_percentage: { short: '3rd%', label: 'Third downs converted, %' },
  total_yards: { short: 'Yds', label: 'Yards a game' },
  opponent_total_yards: { short: 'Opp yds', label: 'Yards allowed a game', isLeastBest: true },
  turnover_margin: { short: 'TO±', label: 'Turnover margin a game' },
  pace: { short: 'Pace', label: 'Possessions in 40 minutes', isNeither: true },
  offensive_rating: { short: 'Off', label: 'Offensive rating', meaning: `Points ${in100}` },
  defensive_rating: {
    short: 'Def',
    label: 'Defensive rating',
    meaning: `Points allowed ${in100}`,
    isLeastBest: true,
  },
  adjusted_efficiency_rating: { short: 'Adj', label: 'Adjusted efficiency' },
  points_per_game: { short: 'Pts', label: 'Points a game' },
  total_rebounds_per_game: { short: 'Reb', label: 'Rebounds a game' },
  minutes_played_per_game: { short: 'Min', label: 'Minutes a game' },
  efficiency_rating: { short: 'Eff', label: 'Efficiency rating' },
  passing_yards: { short: 'Pass yds', label: 'Passing yards', isSum: true },
  passing_touchdowns: { short: 'Pass TD', label: 'Passing touchdowns', isSum: true },
  rushing_yards: { short: 'Rush yds', label: 'Rushing yards', isSum: true },
  rushing_touchdowns: { short: 'Rush TD', label: 'Rushing touchdowns', isSum: true },
  receptions: { short: 'Rec', label: 'Passes caught', isSum: true },
  receiving_yards: { short: 'Rec yds', label: 'Receiving yards', isSum: true },
  solo_tackles: { short: 'Tkl', label: 'Solo tackles', isSum: true },
  sacks: { short: 'Sck', label: 'Sacks', isSum: true },
  interceptions: { short: 'Int', label: 'Interceptions', isSum: true },
  field_goal_percentage: { short: 'FG%', label: 'Field goal %' },
}

/** A statistic's names; one that is not listed is called as the service calls it. */
export function statistic(name: string, of: Subject = 'players'): Statistic {
  const found = known[name] ?? { short: wordsOf(name), label: wordsOf(name) }
  return found.isSum && of === 'teams' ? { ...found, label: `${found.label} a game` } : found
}

const order = new Map(Object.keys(known).map((name, at) => [name, at]))

/** Statistics in the order in which tables show them; those that are not listed come last. */
export const ordered = (names: Iterable<string>): string[] =>
  [...names].toSorted((a, b) => (order.get(a) ?? order.size) - (order.get(b) ?? order.size))

/** A statistic's value as it is read: sums as they are, averages to a decimal. */
export const valueOf = (name: string, value: number | null | undefined): string =>
  statistic(name).isSum && Number.isInteger(value) ? whole(value) : decimal(value)
