import type { Row } from '../../specification/tables.ts'
import type { Competition } from './competitions.ts'
import { sampleId } from './ids.ts'
import { bell, randomOf, shuffled } from './random.ts'
import { colors, mascots, places } from './words.ts'

/** A team's strength in a season: points a game better than the average team, at either end of the field. */
export interface Strength {
  readonly offense: number
  readonly defense: number
}

const suffixes = ['', ' State', '', ' Tech', '', '', ' A&M', '']

export const conferencesOf = (seed: string, competition: Competition): Row<'conference'>[] =>
  competition.conferences.map((name, at) => {
    const conference_id = sampleId('conference', `${competition.sport}/${at}`, seed)
    return {
      conference_id,
      organization_id: competition.organizationId,
      division_id: competition.divisionId,
      code: name.replace(' ', '').slice(0, 6).toUpperCase(),
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
  return home.map((place, at) => teamRow(seed, competition, place, nicknames[at] ?? 'Pilots', at))
}

function teamRow(seed: string, { sport }: Competition, place: string, nickname: string, at: number) {
  const team_id = sampleId('team', `${sport}/${at}`, seed)
  const [primary_color = '#000000', secondary_color = null] = colors[at % colors.length] ?? []
  const name = `${place}${suffixes[at % suffixes.length] ?? ''}`
  return {
    team_id,
    char6: place.replace(' ', '').slice(0, 6).toUpperCase(),
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

/** What a team is worth in a season. Some of it stays from season to season. */
export function strengthOf(seed: string, competition: Competition, team: number, season: number): Strength {
  const lasting = bell(randomOf(seed, competition.sport, 'strength', team)) * 0.8
  const random = randomOf(seed, competition.sport, 'strength', team, season)
  const part = () => competition.spread * (lasting + bell(random) * 0.6)
  return { offense: part(), defense: part() }
}
