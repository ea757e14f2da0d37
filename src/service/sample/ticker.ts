import type { Transaction } from 'kysely'
import { settle } from '../league/settle.ts'
import { yieldToOthers } from '../league/yield-to-others.ts'
import type { SeasonKey } from '../league/league-key.ts'
import type { Database } from '../store/database.ts'
import { exclusively } from '../store/lock.ts'
import type { Schema } from '../store/schema.ts'
import type { Day } from './calendar.ts'
import { openSampleLeague, storedLeagues } from './create.ts'
import { claimLeague } from './meta.ts'
import { isOver, nextAfter, openGames } from './open-games.ts'
import type { OpenGame } from './open-games.ts'
import { playsAt, writeProgress } from './progress.ts'
import { writeSeries } from './series.ts'

/** The open games and pending changes of the sample league in a database. */
interface Season {
  readonly anchor: Day
  readonly endsAt: number
  open: OpenGame[]
}

/**
 * Advances the sample league of a database. Between ticks it remembers the open games; the database has
 * everything that matters.
 */
export class Ticker {
  readonly #database: Database
  readonly #clock: () => number
  #season: Season | null = null

  constructor(database: Database, clock: () => number) {
    this.#database = database
    this.#clock = clock
  }

  /** Updates the database to the clock's time. A finished season is followed by a new one. */
  async tick(): Promise<void> {
    const now = this.#clock()
    this.#season ??= await loadSeason(this.#database)
    if (this.#season && this.#season.endsAt <= now) this.#season = await this.#renewed()
    const due = this.#season?.open.filter(({ next }) => next <= now) ?? []
    if (this.#season && due.length > 0) await this.#move(this.#season, due, now)
  }

  async #renewed(): Promise<Season | null> {
    await exclusively(this.#database, () => openSampleLeague(this.#database, this.#clock))
    return loadSeason(this.#database)
  }

  async #move(season: Season, due: readonly OpenGame[], now: number): Promise<void> {
    const held = await this.#database.db.transaction().execute(async (transaction) => {
      if (!(await claimLeague(transaction, season.anchor))) return false
      await moveGames(transaction, due, now)
      return true
    })
    if (!held) this.#season = null
    for (const open of due) {
      open.plays = playsAt(open, now)
      open.next = nextAfter(open, now)
    }
    season.open = season.open.filter((open) => !isOver(open, now))
  }
}

async function loadSeason(database: Database): Promise<Season | null> {
  const leagues = await storedLeagues(database)
  const [first] = leagues ?? []
  if (!leagues || !first) return null
  const open = await Promise.all(leagues.map((league) => openGames(database, league)))
  const endsAt = Math.min(...leagues.map((league) => league.endsAt))
  return { anchor: first.anchor, endsAt, open: open.flat() }
}

async function moveGames(transaction: Transaction<Schema>, due: readonly OpenGame[], now: number) {
  const finished = await finishedOf(transaction, due)
  const games = due.filter(({ game }) => !finished.has(game.id))
  for (const open of games) {
    await writeSeries(transaction, open, now)
    if (open.game.fixture.start <= now) await writeProgress(transaction, open, now)
    await yieldToOthers()
  }
  for (const key of seasonsOf(games.filter((open) => isOver(open, now)))) await settle(transaction, key)
}

/** The seasons of games, without duplicates. */
function seasonsOf(games: readonly OpenGame[]): SeasonKey[] {
  const seasons = games.map(({ game: { competition, season } }) => ({
    organization_id: competition.organizationId,
    division_id: competition.divisionId,
    season,
  }))
  return [...new Map(seasons.map((key) => [`${key.organization_id}/${key.season}`, key])).values()]
}

/** The games that another process has already ended. */
async function finishedOf(
  transaction: Transaction<Schema>,
  games: readonly OpenGame[],
): Promise<Set<string | null>> {
  const ids = games.map(({ game }) => game.id)
  const rows = await transaction
    .selectFrom('game')
    .select('game_id')
    .where('game_id', 'in', ids)
    .where('status', '=', 'final')
    .execute()
  return new Set(rows.map((row) => row.game_id))
}
