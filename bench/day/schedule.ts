import type { Database } from '../../src/service/store/database.ts'
import type { LeagueIds } from '../bill/subjects.ts'

export interface ScheduledGame {
  readonly id: string
  readonly day: string
  readonly season: number
  readonly home: string
  readonly away: string
  readonly start: number
}

/** The games of a league by the service's own database, and their states at the moment. */
export class Schedule {
  readonly games: ReadonlyMap<string, ScheduledGame>
  readonly #database: Database
  readonly #final = new Set<string>()

  private constructor(database: Database, games: readonly ScheduledGame[]) {
    this.#database = database
    this.games = new Map(games.map((game) => [game.id, game]))
  }

  static async of(database: Database, { organization_id, division_id }: LeagueIds): Promise<Schedule> {
    const rows = await database.db
      .selectFrom('game')
      .selectAll()
      .where('organization_id', '=', organization_id)
      .where('division_id', '=', division_id)
      .orderBy('start_datetime')
      .execute()
    return new Schedule(
      database,
      rows.map((row) => ({
        id: String(row.game_id),
        day: String(row.start_date).slice(0, 10),
        season: Number(row.season),
        home: String(row.home_team_id),
        away: String(row.away_team_id),
        start: Date.parse(String(row.start_datetime)),
      })),
    )
  }

  on(day: string): readonly ScheduledGame[] {
    return [...this.games.values()].filter((game) => game.day === day)
  }

  async state(id: string): Promise<{ readonly start: number; readonly isFinal: boolean }> {
    const { start } = this.games.get(id) ?? { start: 0 }
    if (this.#final.has(id)) return { start, isFinal: true }
    const row = await this.#database.db
      .selectFrom('game')
      .select('status')
      .where('game_id', '=', id)
      .executeTakeFirst()
    const isFinal = row?.status === 'final'
    if (isFinal) this.#final.add(id)
    return { start, isFinal }
  }

  /** Whether all games of a day are final. */
  async isOver(day: string): Promise<boolean> {
    const states = await Promise.all(this.on(day).map(({ id }) => this.state(id)))
    return states.length > 0 && states.every(({ isFinal }) => isFinal)
  }
}
