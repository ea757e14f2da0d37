import type { Row } from '../specification/tables.ts'

/** The closing line of a game: of the rows before it the current one. Null where no line was offered. */
export function closingLine(rows: readonly Row<'odds'>[]): Row<'odds'> | null {
  const before = rows.filter((row) => row.live !== 1 && row.deleted !== 1)
  return before.find((row) => row.current === 1) ?? null
}

/** How a finished game came out against its closing line. Null where the line has no such part. */
export interface LineResult {
  readonly spread: 'HOME' | 'AWAY' | 'PUSH' | null
  /** Points by which the home team beat its spread; negative where it did not. */
  readonly spreadMargin: number | null
  readonly total: 'OVER' | 'UNDER' | 'PUSH' | null
  /** Points on the board above the line. */
  readonly totalMargin: number | null
}

/** Null while the game is not final, and where it has no line. */
export function lineResult(game: Row<'game'>, line: Row<'odds'> | null): LineResult | null {
  const { home_score, away_score } = game
  if (game.status !== 'final' || home_score === null || away_score === null || line === null) return null
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

/** A line may name one side's spread alone. Adding 0 turns −0 into 0. */
const homeSpread = ({ spread_home, spread_away }: Row<'odds'>): number | null =>
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

/** A team's record against closing lines, over those of its games that are final and had one. */
export function lineRecords(
  team_id: string,
  games: readonly Row<'game'>[],
  lines: ReadonlyMap<string, Row<'odds'>>,
): LineRecords {
  const played = games.filter((game) => [game.home_team_id, game.away_team_id].includes(team_id))
  const of = (some: readonly Row<'game'>[]) => recordOf(team_id, some, lines)
  const atSite = played.filter((game) => game.neutral_site !== 1)
  return {
    all: of(played),
    home: of(atSite.filter((game) => game.home_team_id === team_id)),
    away: of(atSite.filter((game) => game.away_team_id === team_id)),
  }
}

function recordOf(
  team_id: string,
  games: readonly Row<'game'>[],
  lines: ReadonlyMap<string, Row<'odds'>>,
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
