import { publish } from '../league/publish.ts'
import type { Database } from '../store/database.ts'
import { dayOf } from './calendar.ts'
import type { Day } from './calendar.ts'
import { competitions } from './competitions.ts'
import { factsOf, retiredFacts } from './facts.ts'
import { SEED } from './ids.ts'
import { sampleLeague } from './league.ts'
import type { SampleLeague } from './league.ts'
import { forgetAnchor, readAnchor, writeAnchor } from './meta.ts'

/** The sports of the sample league around an anchor day. */
export const sampleLeagues = (anchor: Day, seed = SEED): SampleLeague[] =>
  competitions.map((competition) => sampleLeague(seed, competition, anchor))

/**
 * Creates the sample league at the clock's time, around the clock's day (UTC), and replaces an earlier one.
 */
export async function createSampleLeague(database: Database, clock: () => number): Promise<void> {
  const now = clock()
  const anchor = dayOf(now)
  await forgetAnchor(database.db)
  const facts = sampleLeagues(anchor).map((league) => factsOf(league, now))
  for (const league of [...facts, retiredFacts()])
    await publish(database, league, {
      source: 'sample',
      fingerprint: `${SEED}/${anchor}`,
      whole: true,
    })
  await writeAnchor(database.db, anchor)
}

/** The stored sample league; null if there is none, or if its creation was interrupted. */
export async function storedLeagues(database: Database): Promise<SampleLeague[] | null> {
  const anchor = await readAnchor(database.db)
  return anchor === null ? null : sampleLeagues(anchor)
}

/**
 * Whether the clock is within the league's current seasons: from its anchor day to the last day of the first
 * one to end.
 */
export const isUnderWay = (leagues: readonly SampleLeague[], now: number): boolean =>
  leagues.every(({ anchor, endsAt }) => anchor <= dayOf(now) && now < endsAt)

/**
 * The sample league, created if it is missing or its season is over; `onCreate` is called before that.
 *
 * @returns whether it was created
 */
export async function openSampleLeague(
  database: Database,
  clock: () => number,
  onCreate: () => void = () => {},
): Promise<boolean> {
  const leagues = await storedLeagues(database)
  if (leagues && isUnderWay(leagues, clock())) return false
  onCreate()
  await createSampleLeague(database, clock)
  return true
}
