import type { Transaction } from 'kysely'
import { chronicle } from '../numbers/chronicle.ts'
import type { Ratings } from '../numbers/elo.ts'
import { daysOf, teamDays } from '../numbers/teamdays.ts'
import type { TeamDay } from '../numbers/teamdays.ts'
import type { Database } from '../store/database.ts'
import type { Schema } from '../store/schema.ts'
import { careerRows } from './careers.ts'
import { clearLeague } from './clear.ts'
import type { Facts } from './facts.ts'
import { writeFacts } from './factrows.ts'
import { insertRows } from './insert.ts'
import type { Table } from './insert.ts'
import { writeLeague } from './leaguerow.ts'
import { markRanked } from './rankedday.ts'
import { latestOnly, rankingRows } from './rankings.ts'
import type { RankingScope } from './rankings.ts'
import { ratingRows } from './ratings.ts'
import { scheduleOf, seasonOf } from './seasons.ts'
import { appearanceTallies, leagueOf, scopeOf, seasonFactsOf, seasonsOf, talliesOf } from './slices.ts'

/** Called as work goes on: what is being done, how far it is, and how far it goes. */
export type Progress = (phase: string, done: number, total: number) => void

export interface PublishOptions {
  /** What the facts come from: `sample`, or the name of an importer. */
  readonly source: string
  /** Tells one state of the source from another. With the same one, the league keeps its date of publication. */
  readonly fingerprint?: string
  /** Games that a player has played in the latest season, where there are no boxscores of players. */
  readonly appearances?: ReadonlyMap<string, number>
  readonly progress?: Progress
  /** Gives up, and leaves the database as it was. */
  readonly signal?: AbortSignal
}

export interface Summary {
  readonly source: string
  readonly organization_id: string
  readonly division_id: string
  readonly seasons: readonly number[]
  /** Rows written, by table. */
  readonly rows: Readonly<Record<string, number>>
}

interface Publication {
  readonly transaction: Transaction<Schema>
  readonly facts: Facts
  readonly options: PublishOptions
  readonly rows: Record<string, number>
}

/**
 * Replaces a league by `facts` and all that follows from them: Elo after each game, a prediction for each, and the statistics of every
 * class with their ranks; those of teams for every day of a season. One transaction: whatever fails leaves the database as it was.
 * Every key follows from the facts, so that the same facts published again change nothing. A team belongs to one league.
 */
export async function publish(database: Database, facts: Facts, options: PublishOptions): Promise<Summary> {
  const seasons = seasonsOf(facts)
  const rows = await database.db.transaction().execute(async (transaction) => {
    const publication: Publication = { transaction, facts, options, rows: {} }
    await publishFacts(publication)
    let before: Ratings | undefined
    for (const season of seasons) before = await publishSeason(publication, season, before)
    await publishCareers(publication)
    options.signal?.throwIfAborted()
    return publication.rows
  })
  return { source: options.source, ...leagueOf(facts), seasons, rows }
}

async function publishFacts({ transaction, facts, options, rows }: Publication): Promise<void> {
  const { source, fingerprint = null } = options
  await clearLeague(transaction, leagueOf(facts))
  await writeLeague(transaction, { ...leagueOf(facts), sport: facts.league.rules.sport, source, fingerprint })
  const written = await writeFacts(transaction, facts, (done, total) => {
    options.signal?.throwIfAborted()
    options.progress?.('facts', done, total)
  })
  Object.assign(rows, written)
}

async function publishSeason(
  publication: Publication,
  season: number,
  before: Ratings | undefined,
): Promise<Ratings> {
  const { facts, options } = publication
  const slice = seasonFactsOf(facts, season)
  const story = chronicle(scheduleOf(slice), before)
  const { elo, predictions } = ratingRows(leagueOf(facts), slice.games, story)
  await write(publication, 'elo', elo)
  await write(publication, 'prediction', predictions)
  options.progress?.(`ratings of ${season}`, 1, 1)
  const played = seasonOf(slice, story.forecasts)
  await publishDays(publication, scopeOf(facts, season), teamDays(played, daysOf(played.games)), played.games)
  return story.ratings
}

async function publishDays(
  publication: Publication,
  scope: RankingScope,
  days: Iterable<TeamDay>,
  games: readonly { readonly day: string }[],
): Promise<void> {
  const total = daysOf(games).length
  let last: TeamDay | undefined
  let done = 0
  for (const day of days) {
    const current = ++done === total ? 1 : 0
    const numbers = { day: day.day, teams: day.teams, players: new Map() }
    await write(
      publication,
      'statistic_ranking',
      await rankingRows('statistic_ranking', scope, numbers, current),
    )
    publication.options.progress?.(`statistics of ${scope.season}`, done, total)
    last = day
  }
  if (last) await publishLatest(publication, scope, last)
}

async function publishLatest(publication: Publication, scope: RankingScope, last: TeamDay): Promise<void> {
  const { facts, options } = publication
  const latest = seasonsOf(facts).at(-1) === scope.season
  const counted = talliesOf(facts, scope.season)
  const players =
    counted.size === 0 && latest && options.appearances ? appearanceTallies(options.appearances) : counted
  const numbers = { day: last.day, teams: last.teams, players }
  for (const [index, kind] of latestOnly.entries()) {
    await write(publication, kind, await rankingRows<typeof kind>(kind, scope, numbers, 1))
    await markRanked(publication.transaction, kind, scope, last.day)
    options.progress?.(`people and averages of ${scope.season}`, index + 1, latestOnly.length)
  }
}

async function publishCareers(publication: Publication): Promise<void> {
  const { facts } = publication
  const latest = seasonsOf(facts).at(-1)
  const day = facts.games
    .filter((game) => game.status === 'final')
    .reduce((last, game) => (game.start_date && game.start_date > last ? game.start_date : last), '')
  if (latest === undefined || day === '') return
  const rows = await careerRows(scopeOf(facts, latest), talliesOf(facts), day.slice(0, 10))
  await write(publication, 'player_statistic_ranking', rows)
}

async function write<T extends Table>(
  { transaction, options, rows }: Publication,
  table: T,
  list: Iterable<Schema[T]>,
): Promise<void> {
  options.signal?.throwIfAborted()
  rows[table] = (rows[table] ?? 0) + (await insertRows(transaction, table, list))
}
