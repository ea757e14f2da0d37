import type { Row } from '../../specification/tables.ts'
import type { Competition } from './competitions.ts'
import { initialRating } from '../numbers/elo.ts'
import type { Ratings } from '../numbers/elo.ts'
import { usualLeague } from '../leagues/leagues.ts'
import { sampleId } from './ids.ts'
import { bell, randomOf, shuffled } from './random.ts'
import { abbreviationsOf } from './abbreviations.ts'
import { colors, mascots, places } from './words.ts'

/** A team's strength in a season: points a game better than the average team, at either end of the field. */
export interface Strength {
  readonly offense: number
  readonly defense: number
  /** The length of the team's possessions as a multiple of the usual one. */
  readonly tempo: number
}

/**
 * How much of a team's strength stays from season to season, and how much is the season's own: deviations.
 */
const LASTING = 0.95
const SEASONAL = 0.3

const suffixes = ['', ' State', '', ' Tech', '', '', ' A&M', '']

export const conferencesOf = (seed: string, competition: Competition): Row<'conference'>[] =>
  competition.conferences.map(({ code, name }, at) => {
    const conference_id = sampleId('conference', `${competition.sport}/${at}`, seed)
    return {
      conference_id,
      organization_id: competition.organizationId,
      division_id: competition.divisionId,
      code,
      name: `${name} Conference`,
      guid: conference_id,
      deleted: 0,
    }
  })

/** The teams of a competition, conference after conference. */
export function teamsOf(seed: string, competition: Competition): Row<'team'>[] {
  const random = randomOf(seed, competition.sport, 'teams')
  const count = competition.conferences.length * competition.teamsInConference
  const home = shuffled(random, places.slice(competition.firstPlace, competition.firstPlace + count))
  const nicknames = shuffled(random, mascots)
  const taken = new Set<string>()
  return home.map((place, at) => {
    const suffix = suffixes[at % suffixes.length] ?? ''
    const char6 = abbreviationsOf(place, suffix).find((code) => !taken.has(code)) ?? ''
    taken.add(char6)
    return { ...teamRow(seed, competition, place, nicknames[at] ?? 'Pilots', at), char6 }
  })
}

function teamRow(seed: string, { sport }: Competition, place: string, nickname: string, at: number) {
  const team_id = sampleId('team', `${sport}/${at}`, seed)
  const [primary_color = '#000000', secondary_color = null] = colors[at % colors.length] ?? []
  const name = `${place}${suffixes[at % suffixes.length] ?? ''}`
  return {
    team_id,
    code: place.replace(' ', '-').toLowerCase(),
    name,
    alt_name: `${name} ${nickname}`,
    primary_color,
    secondary_color,
    guid: team_id,
    deleted: 0,
    conference_id: null,
  }
}

/** A team's strength in a season, partly kept from the season before. */
export function strengthOf(seed: string, competition: Competition, team: number, season: number): Strength {
  const lasting = bell(randomOf(seed, competition.sport, 'strength', team)) * LASTING
  const random = randomOf(seed, competition.sport, 'strength', team, season)
  const part = () => competition.spread * (lasting + bell(random) * SEASONAL)
  const tempo = 1 + competition.tempo * bell(randomOf(seed, competition.sport, 'tempo', team))
  return { offense: part(), defense: part(), tempo }
}

/** Elo points by which a rating misses a team's strength after a season of games. */
const MISJUDGED = 50

/** The ratings that the season before the first one has left: the sample league did not begin with it. */
export function openingOf(seed: string, competition: Competition, teams: readonly Row<'team'>[]): Ratings {
  const { elo_points } = usualLeague[competition.sport].rules.margin
  const rated = teams.map(({ team_id }, at) => {
    const { offense, defense } = strengthOf(seed, competition, at, competition.seasons)
    const random = randomOf(seed, competition.sport, 'opening', at)
    const rating = initialRating + (offense + defense) / elo_points + bell(random) * MISJUDGED
    return [team_id ?? '', { rating: Math.round(rating), games: 0 }] as const
  })
  return new Map(rated)
}
