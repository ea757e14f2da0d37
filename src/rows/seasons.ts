import { isSeasonOver, longestPause, seasonUntil } from './freshness.ts'
import type { Freshness, FreshFor, SeasonFacts } from './freshness.ts'
import { parseTime } from './parse-time.ts'
import { numberOf } from './values.ts'

/** The known seasons of an organization. */
interface Organization {
  newest: number
  /** The earliest known beginning of its seasons, in milliseconds after January 1 of the season's year. */
  opening: number
  readonly seasons: Map<number, Season>
  /** The newest season in which each division is known to have played. */
  readonly played: Map<string, Played>
}

interface Played {
  readonly season: number
  /** The latest known date of a played game. */
  readonly last: number
}

/** The freshness of everything that belongs to the season. */
class Season implements SeasonFacts, Freshness {
  readonly season: number
  earliest = Number.POSITIVE_INFINITY
  latest = Number.NEGATIVE_INFINITY
  /** The latest known date of a played game. */
  lastPlayed = Number.NEGATIVE_INFINITY
  seriesEnd: number | null = null
  readonly organization: Organization
  readonly #fresh: FreshFor

  constructor(season: number, organization: Organization, fresh: FreshFor) {
    this.season = season
    this.organization = organization
    this.#fresh = fresh
  }

  get newest(): number {
    return this.organization.newest
  }

  get usualStart(): number | null {
    const { opening } = this.organization
    return opening === Number.POSITIVE_INFINITY ? null : newYear(this.season) + opening
  }

  readonly until = (boughtAt: number): number => seasonUntil(this, boughtAt, this.#fresh)
}

const newYears = new Map<number, number>()

/** The first moment of a year. */
function newYear(year: number): number {
  let moment = newYears.get(year)
  if (moment === undefined) {
    moment = Date.UTC(year, 0, 1)
    if (isSeason(year)) newYears.set(year, moment)
  }
  return moment
}
const day = 86_400_000

/**
 * A season is named after the year in which it begins or ends, so its rows are within this distance of
 * January 1.
 */
const isWithin = (offset: number) => offset > -200 * day && offset < 600 * day

const isSeason = (value: number) => Number.isInteger(value) && value > 1800 && value < 3000
/** A season that has begun is named after this year or the next. */
const isPossible = (season: number, now: number) => newYear(season - 1) <= now

/**
 * The newest year that the current season may be named after. A season that begins in the second half of a
 * year may be named after the next.
 */
export function newestPossible(now: number): number {
  const date = new Date(now)
  return date.getUTCFullYear() + (date.getUTCMonth() >= 6 ? 1 : 0)
}

/** The season of a row. */
interface Named {
  readonly organization_id?: unknown
  readonly division_id?: unknown
  readonly season?: unknown
}

/** A league; or an organization, for any of its leagues. */
interface LeagueIds {
  readonly organization_id: string
  readonly division_id?: string | undefined
}

/** What a row with a date tells of its season. */
interface Told {
  /** Whether a game of the season was played by that date. */
  readonly isPlayed: boolean
  /** Whether it is the last row of a series with a row for every day or game. */
  readonly isSeries?: boolean
}
/** Maximum organizations of which anything is known, seasons of all of them, and divisions of each. */
const [mostOrganizations, mostSeasons, mostDivisions] = [1_000, 5_000, 1_000]
const twoWeeks = 14 * day

const newOrganization = (): Organization => ({
  newest: 0,
  opening: Number.POSITIVE_INFINITY,
  seasons: new Map(),
  played: new Map(),
})

function notePlayedIn({ played }: Organization, division: string, season: number, time: number): void {
  const known = played.get(division)
  if (known && (known.season > season || (known.season === season && known.last >= time))) return
  if (!known && played.size >= mostDivisions) played.clear()
  played.set(division, { season, last: time })
}

/** What rows tell of seasons: which have begun, and which are over. */
export class Seasons {
  readonly #fresh: FreshFor
  readonly #organizations = new Map<string, Organization>()
  /** The number of their seasons. */
  #size = 0
  /** The last organization, because nearly all rows of an answer have the same. */
  #last: { readonly name: string; readonly organization: Organization } | null = null

  constructor(fresh: FreshFor) {
    this.#fresh = fresh
  }

  /** The freshness of an organization's season. */
  of(organization: unknown, season: number): Freshness {
    return this.#season(String(organization ?? ''), season)
  }

  /** Learns from a row with a date. */
  note(
    { organization_id, division_id, season }: Named,
    date: unknown,
    { isPlayed, isSeries }: Told,
    now: number,
  ): void {
    const year = numberOf(season)
    const time = typeof date === 'string' ? parseTime(date) : Number.NaN
    const offset = time - newYear(year)
    if (typeof organization_id !== 'string' || !isSeason(year) || !isWithin(offset)) return
    const known = this.#season(organization_id, year)
    known.latest = Math.max(known.latest, time)
    if (isSeries) known.seriesEnd = Math.max(known.seriesEnd ?? time, time)
    if (!isPlayed || time > now || !isPossible(year, now)) return
    known.earliest = Math.min(known.earliest, time)
    known.lastPlayed = Math.max(known.lastPlayed, time)
    const { organization } = known
    if (typeof division_id === 'string') notePlayedIn(organization, division_id, year, time)
    organization.newest = Math.max(organization.newest, year)
    organization.opening = Math.min(organization.opening, offset)
  }

  /** Learns that a game of a season was played, at an unknown time. */
  notePlayed({ organization_id, season }: Named, now: number): void {
    const year = numberOf(season)
    if (typeof organization_id !== 'string' || !isSeason(year) || !isPossible(year, now)) return
    const { organization } = this.#season(organization_id, year)
    organization.newest = Math.max(organization.newest, year)
  }

  /**
   * The season in which the league, or any league of the organization, played a game in the last two weeks;
   * undefined if no row shows one.
   */
  underWay({ organization_id, division_id }: LeagueIds, now: number): number | undefined {
    const known = this.#organizations.get(organization_id)
    if (division_id !== undefined) {
      const played = known?.played.get(division_id)
      return played && played.last > now - twoWeeks ? played.season : undefined
    }
    const season = known?.seasons.get(known.newest)
    return season && season.lastPlayed > now - twoWeeks ? season.season : undefined
  }

  /** Whether a season may be over although no row shows it: then the next season has begun. */
  needsRevalidation(organization: string, season: number, now: number): boolean {
    const facts = this.#known(organization, season)
    return season < newestPossible(now) && !isSeasonOver(facts, now) && facts.latest <= now - longestPause
  }

  /** Forgets which seasons have begun, because the clock was ahead. */
  setBack(): void {
    for (const organization of this.#organizations.values()) {
      organization.newest = 0
      organization.opening = Number.POSITIVE_INFINITY
      organization.played.clear()
      for (const season of organization.seasons.values()) {
        season.earliest = Number.POSITIVE_INFINITY
        season.lastPlayed = Number.NEGATIVE_INFINITY
      }
    }
  }

  /** A season of which nothing may be known. Asking about it stores nothing: clients name any number of them. */
  #known(name: string, season: number): Season {
    const organization = this.#organizations.get(name) ?? newOrganization()
    return organization.seasons.get(season) ?? new Season(season, organization, this.#fresh)
  }

  #season(name: string, season: number): Season {
    const organization = this.#organization(name)
    const before = organization.seasons.get(season)
    if (before) return before
    const made = new Season(season, organization, this.#fresh)
    if (!isSeason(season)) return made
    organization.seasons.set(season, made)
    this.#size += 1
    return made
  }

  #forget(): void {
    this.#organizations.clear()
    this.#size = 0
  }

  #organization(name: string): Organization {
    if (this.#last?.name === name) return this.#last.organization
    let organization = this.#organizations.get(name)
    if (!organization) {
      if (this.#organizations.size >= mostOrganizations || this.#size >= mostSeasons) this.#forget()
      organization = newOrganization()
      this.#organizations.set(name, organization)
    }
    this.#last = { name, organization }
    return organization
  }
}
