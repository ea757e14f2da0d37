import type { Row } from '../../specification/tables.ts'
import type { Membership } from '../league/facts.ts'
import { identify } from '../league/identity.ts'
import type { Looks } from './colours.ts'
import type { NcaaTables, NcaaTeam } from './ncaatables.ts'
import { teamRow } from './rows.ts'
import type { Origin } from './rows.ts'

/** The teams of a season by the name that the source gives them: those of the division, and those from outside that they met. */
export class Teams {
  private readonly origin: Origin
  private readonly members: ReadonlyMap<string, NcaaTeam>
  private readonly byNcaaId: ReadonlyMap<string, string>
  private readonly espnIds: ReadonlyMap<string, string>
  private readonly names: readonly string[]

  constructor(origin: Origin, tables: NcaaTables) {
    this.origin = origin
    this.members = new Map(tables.teams.map((team) => [team.team, team]))
    this.byNcaaId = new Map(tables.teams.map((team) => [team.id, team.team]))
    this.espnIds = new Map(tables.boxes.map((box) => [box.team, box.espn_team_id]))
    const met = tables.schedule.flatMap((game) => [game.home, game.away])
    this.names = [...new Set([...this.members.keys(), ...met])]
  }

  /** ESPN’s id stays from season to season, the source’s own does not; an outsider is known by its name alone. */
  id(name: string): string {
    const espn = this.espnIds.get(name)
    return identify(this.origin.source, 'team', espn ? `espn ${espn}` : `name ${name}`)
  }

  idOfNcaa(ncaaId: string): string | null {
    const name = this.byNcaaId.get(ncaaId)
    return name === undefined ? null : this.id(name)
  }

  conference(name: string): string | null {
    const conference = this.members.get(name)?.conference
    return conference ? conferenceId(this.origin.source, conference) : null
  }

  isMember = (name: string): boolean => this.members.has(name)

  outsiders(): string[] {
    return this.names.filter((name) => !this.isMember(name))
  }

  colourless(looks: Looks): string[] {
    return [...this.members.keys()].filter((name) => !looks.byTeam.has(this.espnIds.get(name) ?? ''))
  }

  rows(looks: Looks): Row<'team'>[] {
    return this.names.map((name) => {
      const espn = this.espnIds.get(name)
      const look = espn ? looks.byTeam.get(espn) : undefined
      const names = { char6: look?.abbreviation ?? name, name, alt_name: look?.display_name ?? name }
      return teamRow(this.id(name), espn ? `espn/teams/${espn}` : null, names, look)
    })
  }

  memberships(): Membership[] {
    const { organization_id, division_id, season } = this.origin
    return [...this.members.keys()].map((name) => ({
      team_id: this.id(name),
      organization_id,
      division_id,
      season,
      conference_id: this.conference(name),
    }))
  }
}

/** A conference is known by its name. */
export const conferenceId = (source: string, name: string): string => identify(source, 'conference', name)
