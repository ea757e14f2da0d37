import type { CsvGame, CsvTables } from './csv-tables.ts'
import { gameStatus } from './status.ts'
import type { GameStatus } from './status.ts'

/** A game, its state, and whether its boxscores agree with it. */
export interface CsvStanding extends CsvGame {
  readonly status: GameStatus
  readonly sides: number
  readonly compared: boolean
  readonly disputed: boolean
}

/** All games by id. */
export function standings(tables: CsvTables): Map<string, CsvStanding> {
  const points = new Map(
    tables.boxes.map((box) => [`${box.game_id} ${box.team_id}`, box.line['points'] ?? null]),
  )
  return new Map(tables.games.map((game) => [game.game_id, standing(game, points)]))
}

function standing(game: CsvGame, points: ReadonlyMap<string, number | null>): CsvStanding {
  const of = (team: string) => points.get(`${game.game_id} ${team}`)
  const [home, away] = [of(game.home), of(game.away)]
  const sides = [home, away].filter((side) => side !== undefined).length
  const status = gameStatus(game.said, game.home_score, game.away_score, sides)
  const compared = status === 'final' && typeof home === 'number' && typeof away === 'number'
  // A schedule that has no score for a played game yet: its boxscores have.
  const unscored = compared && game.home_score === 0 && game.away_score === 0
  const score = unscored ? { home_score: home, away_score: away } : {}
  const disputed = compared && !unscored && (home !== game.home_score || away !== game.away_score)
  return { ...game, ...score, status, sides, compared, disputed }
}
