import type { Numbers } from './formula.ts'
import type { Line } from './line.ts'
import type { Sport } from './rules.ts'
import { sportNumbers } from './sports.ts'
import { Tally } from './tally.ts'

/** One player’s boxscore of one game. */
export interface Appearance {
  readonly player_id: string
  readonly line: Line
}

/** Each player's totals over all the appearances. */
export function playerTallies(appearances: Iterable<Appearance>): Map<string, Tally> {
  const tallies = new Map<string, Tally>()
  countAppearances(tallies, appearances)
  return tallies
}

/** Adds appearances to players' totals. */
export function countAppearances(tallies: Map<string, Tally>, appearances: Iterable<Appearance>): void {
  for (const { player_id, line } of appearances) {
    const tally = tallies.get(player_id) ?? new Tally()
    if (tally.games === 0) tallies.set(player_id, tally)
    tally.add(line)
  }
}

/** A player’s statistics; without a boxscore, games are 0 and everything else is null. */
export function playerStatistics(sport: Sport, tally: Tally = new Tally()): Numbers {
  const formulas = sportNumbers[sport].player
  return (name) => (name === 'games' ? tally.games : (formulas[name]?.(tally) ?? null))
}
