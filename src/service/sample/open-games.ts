import type { Database } from '../store/database.ts'
import { endOf } from './game-rows.ts'
import { timelineOf } from './league.ts'
import type { SampleGame, SampleLeague } from './league.ts'
import { pregameMovements } from './market.ts'
import type { Timeline } from './timeline.ts'

/** A game that is not final in the database. */
export interface OpenGame {
  readonly game: SampleGame
  readonly timeline: () => Timeline
  /** The time of its next change, in milliseconds since 1970. */
  next: number
  /** The number of plays in the stored boxscores; -1 if unknown. */
  plays: number
}

/** The league's games that are not final in the database, by start. */
export async function openGames(database: Database, league: SampleLeague): Promise<OpenGame[]> {
  const { organizationId, divisionId } = league.competition
  const over = await database.db
    .selectFrom('game')
    .select('game_id')
    .where('organization_id', '=', organizationId)
    .where('division_id', '=', divisionId)
    .where('status', '=', 'final')
    .execute()
  const finished = new Set(over.map((row) => row.game_id))
  return league.games.filter(({ id }) => !finished.has(id)).map(openGame)
}

function openGame(game: SampleGame): OpenGame {
  let timeline: Timeline | undefined
  return { game, timeline: () => (timeline ??= timelineOf(game)), next: firstMovement(game), plays: -1 }
}

const firstMovement = (game: SampleGame) => pregameMovements(game)[0]?.at ?? game.fixture.start

/** The time of the next change after `now`. */
export function nextAfter({ game }: OpenGame, now: number): number {
  if (now >= game.fixture.start) return now + 1
  return pregameMovements(game).find(({ at }) => at > now)?.at ?? game.fixture.start
}

export const isOver = ({ game, timeline }: OpenGame, now: number): boolean =>
  game.fixture.start <= now && endOf(game, timeline()) <= now
