import { basketballLine, footballLine } from '../../specification/statistics.ts'
import type { Sport } from '../league/facts.ts'
import type { Credit, Side, Timeline } from './timeline.ts'

/** The totals of each column. */
export type Counts = Record<string, number>

/** One side of a game so far: the team's counts, and each player's by his index in the roster. */
export interface SideTally {
  readonly team: Counts
  readonly players: Map<number, Counts>
}

export type Tally = Readonly<Record<Side, SideTally>>

const longest = new Set<string>(footballLine.filter((column) => /_long$|_longest_made$/.test(column)))

/** Whether a column keeps the longest of its plays: such columns do not add up. */
export const isLongest = (column: string): boolean => longest.has(column)

const zerosOf = (columns: readonly string[]): Counts =>
  Object.fromEntries(columns.filter((column) => !isLongest(column)).map((column) => [column, 0]))

// Objects created with all columns are several times faster to count in than those that grow.
const zeros: Readonly<Record<Sport, Counts>> = {
  basketball: zerosOf(basketballLine),
  football: zerosOf(footballLine),
}

/**
 * Adds up the plays of the first `elapsed` seconds: players add up to their team because both are counted
 * from the same plays.
 */
export function tallyOf(timeline: Timeline, elapsed: number): Tally {
  const blank = () => ({ ...zeros[timeline.sport] })
  const side = () => ({ team: blank(), players: new Map() })
  const sum: Tally = { home: side(), away: side() }
  for (const play of timeline.plays) {
    if (play.at > elapsed) break
    for (const credit of play.credits) count(sum[credit.side], credit, blank)
  }
  return sum
}

export const scoreOf = (tally: Tally, side: Side): number => tally[side].team['points'] ?? 0

function count(side: SideTally, { player, column, amount }: Credit, blank: () => Counts) {
  add(side.team, column, amount)
  if (player === null) return
  const counts = side.players.get(player) ?? blank()
  side.players.set(player, counts)
  add(counts, column, amount)
}

function add(counts: Counts, column: string, amount: number) {
  const before = counts[column]
  if (before === undefined) counts[column] = amount
  else counts[column] = isLongest(column) ? Math.max(before, amount) : before + amount
}
