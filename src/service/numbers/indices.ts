import type { Line } from './line.ts'

/** One game of a team, as the indices use it. */
export interface GameOutcome {
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** 1, 0.5 for a draw, or 0. */
  readonly won: number
  /** The probability of a win before the game, 0 to 1; null if unknown. */
  readonly chance: number | null
}

const dayLength = 86_400_000
const halfLife = 3
const remembered = 10

/**
 * The three indices of a team’s row, which the specification names without a definition:
 *
 * - `fatigue`: recent games, each counting half as much for every three days since; 0 is rested, above 1 is a
 *   crowded week.
 * - `desperation` and `over_confidence`: by how many percent of its last ten games the team has won less, or
 *   more, than its ratings promised; 0 to 100, and never both above 0. Null before the first game that had a
 *   chance.
 */
export function indicesOf(games: readonly GameOutcome[], day: string): Line {
  const luck = surplus(games.slice(-remembered))
  return {
    fatigue: games.length === 0 ? null : fatigue(games, day),
    desperation: luck === null ? null : Math.max(0, -luck),
    over_confidence: luck === null ? null : Math.max(0, luck),
  }
}

function fatigue(games: readonly GameOutcome[], day: string): number {
  const today = Date.parse(day)
  return games
    .slice(-remembered)
    .reduce((load, game) => load + 0.5 ** ((today - Date.parse(game.day)) / dayLength / halfLife), 0)
}

function surplus(games: readonly GameOutcome[]): number | null {
  const judged = games.filter((game) => game.chance !== null)
  if (judged.length === 0) return null
  const won = judged.reduce((sum, game) => sum + game.won, 0)
  const promised = judged.reduce((sum, game) => sum + (game.chance ?? 0), 0)
  return (100 * (won - promised)) / judged.length
}
