import { isFinalStatus } from '../specification/game-status.ts'
import type { Row } from '../specification/tables.ts'

/** The columns needed of a game and of its closing line, which is the current pre-game row of its odds. */
export const resultColumns = ['status', 'home_score', 'away_score'] as const
export const lineColumns = ['spread_home', 'spread_away', 'over', 'under'] as const
export type GameResult = Pick<Row<'game'>, (typeof resultColumns)[number]>
export type ClosingLine = Pick<Row<'odds'>, (typeof lineColumns)[number]>
type TeamGame = GameResult & Pick<Row<'game'>, 'game_id' | 'home_team_id' | 'away_team_id' | 'neutral_site'>

/** How a finished game compares with its closing line. A part is null if the line lacks it. */
export interface LineResult {
  readonly spread: 'HOME' | 'AWAY' | 'PUSH' | null
  /** Points by which the home team beat its spread; negative if it did not. */
  readonly spreadMargin: number | null
  readonly total: 'OVER' | 'UNDER' | 'PUSH' | null
  /** The total points of the game minus the line. */
  readonly totalMargin: number | null
}

/** Null if the game is not final or has no line. */
export function lineResult(game: GameResult, line: ClosingLine | null): LineResult | null {
  const { home_score, away_score } = game
  if (!isFinalStatus(game.status) || home_score === null || away_score === null || line === null) return null
  const spread = homeSpread(line)
  const total = line.over ?? line.under
  const spreadMargin = spread === null ? null : home_score - away_score + spread
  const totalMargin = total === null ? null : home_score + away_score - total
  return {
    spread: sideOf(spreadMargin, 'HOME', 'AWAY'),
    spreadMargin,
    total: sideOf(totalMargin, 'OVER', 'UNDER'),
    totalMargin,
  }
}

/** A line may have one side's spread only. Adding 0 turns −0 into 0. */
export const homeSpread = ({ spread_home, spread_away }: ClosingLine): number | null =>
  spread_home ?? (spread_away === null ? null : -spread_away + 0)

function sideOf<A, B>(margin: number | null, above: A, below: B): A | B | 'PUSH' | null {
  if (margin === null) return null
  return margin > 0 ? above : margin < 0 ? below : 'PUSH'
}

/** Wins, losses and pushes against the spread, and of the total. */
export interface LineRecord {
  readonly wins: number
  readonly losses: number
  readonly pushes: number
  readonly overs: number
  readonly unders: number
  readonly totalPushes: number
}

export interface LineRecords {
  readonly all: LineRecord
  /** Without games at a neutral site, as `away` is. */
  readonly home: LineRecord
  readonly away: LineRecord
}

/** A team's record against closing lines, over its final games that have one. */
export function lineRecords(
  team_id: string,
  games: readonly TeamGame[],
  lines: ReadonlyMap<string, ClosingLine>,
): LineRecords {
  const played = games.filter((game) => [game.home_team_id, game.away_team_id].includes(team_id))
  const of = (some: readonly TeamGame[]) => recordOf(team_id, some, lines)
  const atSite = played.filter((game) => game.neutral_site !== 1)
  return {
    all: of(played),
    home: of(atSite.filter((game) => game.home_team_id === team_id)),
    away: of(atSite.filter((game) => game.away_team_id === team_id)),
  }
}

function recordOf(
  team_id: string,
  games: readonly TeamGame[],
  lines: ReadonlyMap<string, ClosingLine>,
): LineRecord {
  const results = games.flatMap((game) => {
    const result = lineResult(game, lines.get(game.game_id ?? '') ?? null)
    return result ? [{ ...result, side: game.home_team_id === team_id ? 'HOME' : 'AWAY' }] : []
  })
  const count = (holds: (result: (typeof results)[number]) => boolean) => results.filter(holds).length
  return {
    wins: count(({ spread, side }) => spread === side),
    losses: count(({ spread, side }) => spread !== null && spread !== 'PUSH' && spread !== side),
    pushes: count(({ spread }) => spread === 'PUSH'),
    overs: count(({ total }) => total === 'OVER'),
    unders: count(({ total }) => total === 'UNDER'),
    totalPushes: count(({ total }) => total === 'PUSH'),
  }
}
