import type { Transaction } from 'kysely'
import type { Ratings } from '../numbers/elo.ts'
import type { LeagueRules } from '../numbers/rules.ts'
import type { Tally } from '../numbers/tally.ts'
import type { Database } from '../store/database.ts'
import type { Schema } from '../store/schema.ts'
import { markActive, rewriteCareers } from './careers.ts'
import { clearSeasons, clearUnused, storedSeasons } from './clear.ts'
import type { LeagueKey } from './league-key.ts'
import type { Facts } from './facts.ts'
import { writeFacts } from './fact-rows.ts'
import { withoutLater } from './latest.ts'
import { keepRules } from './league-rules.ts'
import { writeLeague } from './league-row.ts'
import { clearComputed, writeSeason } from './season-rows.ts'
import type { Writing } from './season-rows.ts'
import { appearanceTallies, leagueOf, scopeOf, seasonFactsOf, seasonsOf, talliesOf } from './slices.ts'
import { keepNames, withFormer } from './season-names.ts'
import { closingSpreads, keepUse } from './spreads.ts'
import { ratingsBefore, storedRoster, storedScope, storedSeason } from './stored.ts'

/** Called with the current phase, the work done in it, and its total. */
export type Progress = (phase: string, done: number, total: number) => void

export interface PublishOptions {
  /** The source of the facts: `sample`, or the name of an importer. */
  readonly source: string
  /** Identifies a state of the source. If it has not changed, the league keeps its date of publication. */
  readonly fingerprint?: string
  /** True if the facts are the whole league: other seasons are removed. Otherwise they stay. */
  readonly whole?: boolean
  /** Games played by each player in the facts' latest season, for sources without players' boxscores. */
  readonly appearances?: ReadonlyMap<string, number>
  /** True if predictions use closing spreads, for games that have one. */
  readonly closingLines?: boolean
  readonly progress?: Progress
  /** Aborts, and leaves the database unchanged. */
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

interface Publication extends Writing {
  readonly facts: Facts
  readonly key: LeagueKey
  readonly options: PublishOptions
  /** The facts’ seasons, the earliest first. */
  readonly seasons: readonly number[]
}

/**
 * Replaces the seasons in `facts`, and computes everything that follows from them: Elo after each game, a
 * prediction for each game, and the statistics of every class with their ranks; those of teams for every day
 * of a season. Later seasons start with the ratings at the end of these, and are computed again if those have
 * changed. Careers add up over all seasons.
 * One transaction: after a failure the database is as before. Every key follows from the facts: the same
 * seasons make the same database, in any order. A team belongs to one league.
 */
export async function publish(database: Database, facts: Facts, options: PublishOptions): Promise<Summary> {
  const [seasons, key] = [seasonsOf(facts), leagueOf(facts)]
  const rows = await database.db.transaction().execute(async (transaction) => {
    const { progress, signal } = options
    const publication: Publication = { transaction, facts, key, options, seasons, rows: {}, progress, signal }
    await publishAll(publication)
    options.signal?.throwIfAborted()
    return publication.rows
  })
  return { source: options.source, ...key, seasons, rows }
}

async function publishAll(publication: Publication): Promise<void> {
  const { transaction, facts, key, options, seasons } = publication
  const stored = await storedSeasons(transaction, key)
  const others = options.whole ? [] : stored.filter((season) => !seasons.includes(season))
  const later = others.filter((season) => season > (seasons[0] ?? 0))
  const { rules } = facts.league
  const before = await openings(transaction, key, later, rules)
  await publishFacts(publication, options.whole ? stored : seasons, others)
  for (const season of [...seasons, ...later].toSorted((a, b) => a - b)) {
    if (seasons.includes(season)) await publishSeason(publication, season, others)
    else if (before.get(season) !== (await openingOf(transaction, key, season, rules)))
      await publishAgain(publication, season)
  }
  await publishCareers(publication, others)
}

/** The ratings at the start of seasons, as text for comparison. */
async function openings(
  transaction: Transaction<Schema>,
  key: LeagueKey,
  seasons: readonly number[],
  rules: LeagueRules,
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const season of seasons) found.set(season, await openingOf(transaction, key, season, rules))
  return found
}

async function openingOf(
  transaction: Transaction<Schema>,
  key: LeagueKey,
  season: number,
  rules: LeagueRules,
): Promise<string> {
  const ratings = await ratingsBefore(transaction, { ...key, season }, rules.elo)
  return JSON.stringify([...ratings].map(([team, { rating }]) => `${team} ${rating}`).toSorted())
}

async function publishFacts(
  { transaction, facts, key, options, seasons, rows }: Publication,
  cleared: readonly number[],
  others: readonly number[],
): Promise<void> {
  const { source, fingerprint = null } = options
  const replaced = [...new Set([...cleared, ...seasons])]
  const last = seasons.at(-1) ?? 0
  const participants = await clearSeasons(transaction, key, replaced)
  const { sport } = facts.league.rules
  await writeLeague(transaction, { ...key, sport, source }, fingerprint, { seasons, others })
  await keepRules(transaction, key, facts.league.key)
  await keepUse(transaction, key, replaced, false)
  await keepUse(transaction, key, seasons, options.closingLines ?? false)
  if (replaced.length > 0) await keepNames(transaction, key, facts, last)
  const own = await withoutLater(transaction, key, await withFormer(transaction, facts, participants), last)
  const written = await writeFacts(transaction, own, (done, total) => {
    options.signal?.throwIfAborted()
    options.progress?.('facts', done, total)
  })
  Object.assign(rows, written)
  const conferences = facts.conferences.map((row) => row.conference_id)
  await clearUnused(transaction, { league: key, participants, named: conferences })
}

const latestOf = ({ seasons }: Publication, others: readonly number[]) => Math.max(...seasons, ...others)

async function publishSeason(
  publication: Publication,
  season: number,
  others: readonly number[],
): Promise<void> {
  const { transaction, facts, key, options } = publication
  const latest = latestOf(publication, others)
  const scope = scopeOf(facts, season)
  const active = seasonsOf(facts).includes(latest)
    ? scope.active
    : new Set((await storedRoster(transaction, key, latest)).keys())
  const spreads = options.closingLines ? closingSpreads(facts.odds) : undefined
  await writeSeason(
    publication,
    { ...seasonFactsOf(facts, season), spreads },
    {
      scope: { ...scope, active },
      before: await broughtInto(publication, season),
      players: playersOf(publication, season),
    },
  )
}

/** The teams' ratings at the start of a season: from earlier seasons, or from the facts. */
async function broughtInto({ transaction, facts, key }: Publication, season: number): Promise<Ratings> {
  const stored = await ratingsBefore(transaction, { ...key, season }, facts.league.rules.elo)
  return stored.size === 0 && facts.opening ? facts.opening : stored
}

function playersOf({ facts, options, seasons }: Publication, season: number): ReadonlyMap<string, Tally> {
  const counted = talliesOf(facts, season)
  if (counted.size > 0 || !options.appearances || season !== seasons.at(-1)) return counted
  return appearanceTallies(options.appearances)
}

/** Recomputes a later season from its stored games. Players' totals do not depend on ratings and stay. */
async function publishAgain(publication: Publication, season: number): Promise<void> {
  const { transaction, facts, key } = publication
  const { rules } = facts.league
  const slice = await storedSeason(transaction, { ...key, season }, rules)
  await clearComputed(transaction, { ...key, season })
  await writeSeason(publication, slice, {
    scope: await storedScope(transaction, { ...key, season }, rules.sport),
    before: await ratingsBefore(transaction, { ...key, season }, rules.elo),
    players: null,
  })
}

async function publishCareers(publication: Publication, others: readonly number[]): Promise<void> {
  const { transaction, facts, key, rows } = publication
  const latest = latestOf(publication, others)
  if (!Number.isFinite(latest)) return
  const alone = others.length === 0
  const scope = alone
    ? scopeOf(facts, latest)
    : await storedScope(transaction, { ...key, season: latest }, facts.league.rules.sport)
  const written = await rewriteCareers(transaction, scope, alone ? talliesOf(facts) : null)
  rows['player_statistic_ranking'] = (rows['player_statistic_ranking'] ?? 0) + written
  if (!alone) await markActive(transaction, scope)
}
