import type { Kysely } from 'kysely'
import type { StatisticClass } from '../../specification/tables.ts'
import { countAppearances } from '../numbers/players.ts'
import type { LeagueRules } from '../numbers/rules.ts'
import { isPlayerClass } from '../numbers/classes.ts'
import type { Tally } from '../numbers/tally.ts'
import { teamDays } from '../numbers/team-days.ts'
import type { Schema } from '../store/schema.ts'
import { insertRows } from './insert.ts'
import { storedRules } from './league-rules.ts'
import { isRanked, markRanked } from './ranked-day.ts'
import { rankingRows } from './rankings.ts'
import type { DayNumbers } from './rankings.ts'
import { seasonOf } from './seasons.ts'
import { stateOf, storedAppearances, storedForecasts, storedScope, storedSeason } from './stored.ts'
import type { SeasonKey } from './league-key.ts'
import { yieldToOthers } from './yield-to-others.ts'

type Db = Kysely<Schema>

/**
 * Makes sure that a class has its rows of one day of a season. Rows of teams, and of all classes on the
 * latest day, always exist. Others are computed when they are first requested, while other requests are
 * answered. Some days have no rows.
 * @param date `YYYY-MM-DD`
 */
export async function rankDay(db: Db, kind: StatisticClass, key: SeasonKey, date: string): Promise<void> {
  if (kind === 'statistic_ranking') return
  while (!(await isRanked(db, kind, key, date))) {
    if (!(await hasTeams(db, key, date))) return
    const name = [kind, key.organization_id, key.division_id, key.season, date].join(' ')
    await inTurn(db, name, () => computeDay(db, kind, key, date))
  }
}

/** Running computations of a database by name, with their promises. */
interface Works {
  readonly underWay: Map<string, Promise<void>>
  done: Promise<unknown>
}

const worksOf = new WeakMap<Db, Works>()

/**
 * Computations run one after another, because each holds a season in memory. Requests for a running one wait
 * for it.
 */
function inTurn(db: Db, name: string, work: () => Promise<void>): Promise<void> {
  const works = worksOf.get(db) ?? { underWay: new Map<string, Promise<void>>(), done: Promise.resolve() }
  worksOf.set(db, works)
  const known = works.underWay.get(name)
  if (known) return known
  const wanted = works.done.then(work).finally(() => works.underWay.delete(name))
  works.underWay.set(name, wanted)
  works.done = wanted.catch(() => {})
  return wanted
}

async function hasTeams(db: Db, key: SeasonKey, date: string): Promise<boolean> {
  const row = await db
    .selectFrom('statistic_ranking')
    .select('current')
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .where('current', 'in', [0, 1])
    .where('date_of_rank', '=', timestampOf(date))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const timestampOf = (date: string) => `${date}T00:00:00.000Z`

/** Rows written between two yields: each statement blocks for some milliseconds. */
const rowsATurn = 64

/**
 * Writes the rows, and at the end a mark that they are complete. If the league has changed meanwhile, they
 * are removed.
 */
async function computeDay(db: Db, kind: StatisticClass, key: SeasonKey, date: string): Promise<void> {
  const state = await stateOf(db, key)
  const rows = await rowsOfDay(db, kind, key, date)
  for (let next = take(rows, rowsATurn); next.length > 0; next = take(rows, rowsATurn)) {
    await db.transaction().execute((transaction) => insertRows(transaction, kind, next, 'keep'))
  }
  await db.transaction().execute(async (transaction) => {
    if ((await stateOf(transaction, key)) === state) return markRanked(transaction, kind, key, date)
    await transaction
      .deleteFrom<StatisticClass>(kind)
      .where('organization_id', '=', key.organization_id)
      .where('division_id', '=', key.division_id)
      .where('season', '=', key.season)
      .where('current', '=', 0)
      .where('date_of_rank', '=', timestampOf(date))
      .execute()
  })
}

function take<R>(rows: Iterator<R>, most: number): R[] {
  const taken: R[] = []
  while (taken.length < most) {
    const { value, done } = rows.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

async function rowsOfDay<K extends StatisticClass>(
  db: Db,
  kind: K,
  key: SeasonKey,
  date: string,
): Promise<Iterator<Schema[K]>> {
  const rules = await storedRules(db, key)
  if (!rules) return [].values()
  const scope = await storedScope(db, key, rules.sport)
  await yieldToOthers()
  const numbers = isPlayerClass(kind) ? await playersOn(db, key, date) : await teamsOn(db, key, rules, date)
  // Without players' boxscores, their totals at that day are unknown.
  if (isPlayerClass(kind) && numbers.players.size === 0) return [].values()
  return rankingRows(kind, scope, numbers, 0)
}

async function playersOn(db: Db, key: SeasonKey, day: string): Promise<DayNumbers> {
  const players = new Map<string, Tally>()
  for await (const appearances of storedAppearances(db, key, day)) countAppearances(players, appearances)
  return { day, teams: new Map(), players }
}

async function teamsOn(db: Db, key: SeasonKey, rules: LeagueRules, day: string): Promise<DayNumbers> {
  const facts = await storedSeason(db, key, rules)
  await yieldToOthers()
  const season = seasonOf(facts, await storedForecasts(db, key))
  await yieldToOthers()
  const [numbers] = teamDays(season, [day])
  await yieldToOthers()
  return { day, teams: numbers?.teams ?? new Map(), players: new Map() }
}
