import type { Row } from '../../specification/tables.ts'
import type { Membership } from '../league/facts.ts'
import { Spellings } from './aliases.ts'
import type { Looks } from './colours.ts'
import type { NcaaTables, NcaaTeam, ScheduledGame, SideBox } from './basketball-tables.ts'
import { conferenceId, membershipOf } from './origin.ts'
import type { Origin } from './origin.ts'
import { teamRow } from './rows.ts'

/**
 * A team from outside plays few games against members. With more, it may be a member under another spelling.
 */
const manyGames = 15

/** The teams of a season by the source’s names: the division’s, and their opponents from outside. */
export class Teams {
  /** The tables with one spelling for each team. */
  readonly schedule: readonly ScheduledGame[]
  readonly boxes: readonly SideBox[]
  /** Spellings that were replaced, with the team’s name. */
  readonly respelled: ReadonlyMap<string, string>
  private readonly origin: Origin
  private readonly looks: Looks
  private readonly spellings: Spellings
  private readonly members: ReadonlyMap<string, NcaaTeam>
  private readonly byNcaaId: ReadonlyMap<string, string>
  private readonly espnIds: ReadonlyMap<string, string>
  private readonly names: readonly string[]

  constructor(origin: Origin, tables: NcaaTables, looks: Looks) {
    const members = membersOf(tables)
    this.origin = origin
    this.looks = looks
    this.members = new Map(members.map((team) => [team.team, team]))
    this.byNcaaId = new Map(members.map((team) => [team.id, team.team]))
    this.spellings = new Spellings(new Set(this.members.keys()), this.spelledInBoxes(tables))
    const respelled = new Map<string, string>()
    const spell = (name: string) => {
      const team = this.spellings.teamOf(name)
      if (team !== name) respelled.set(name, team)
      return team
    }
    this.schedule = tables.schedule.map((game) => ({
      ...game,
      home: spell(game.home),
      away: spell(game.away),
    }))
    this.boxes = tables.boxes.map((box) => ({ ...box, team: spell(box.team) }))
    this.respelled = respelled
    this.espnIds = new Map(
      this.boxes.filter((box) => box.espn_team_id !== '').map((box) => [box.team, box.espn_team_id]),
    )
    const met = this.schedule.flatMap((game) => [game.home, game.away])
    this.names = [...new Set([...this.members.keys(), ...met])]
  }

  /** Names for members’ ids in boxscores, and those of the folder’s own file. */
  private spelledInBoxes(tables: NcaaTables): Map<string, string> {
    const found = new Map<string, string>()
    for (const { team, ncaa_team_id } of tables.boxes) {
      const member = this.byNcaaId.get(ncaa_team_id)
      if (member !== undefined && member !== team) found.set(team, member)
    }
    return new Map([...found, ...tables.aliases])
  }

  /** ESPN’s id is the same in all seasons, the source’s own is not. A team from outside has only its name. */
  id(name: string): string {
    const espn = this.espnId(name)
    return this.origin.key('team', espn ? `espn ${espn}` : `name ${name}`)
  }

  /** The id from a boxscore; for a member without one, hoopR’s id under any of its spellings. */
  private espnId(name: string): string | undefined {
    const boxed = this.espnIds.get(name)
    if (boxed !== undefined || !this.isMember(name)) return boxed
    const found = this.spellings.of(name).map((spelling) => this.looks.idBySchool.get(spelling))
    return found.find((id) => id !== undefined)
  }

  idOfNcaa(ncaaId: string): string | null {
    const name = this.byNcaaId.get(ncaaId)
    return name === undefined ? null : this.id(name)
  }

  conference(name: string): string | null {
    const conference = this.members.get(name)?.conference
    return conference ? conferenceId(this.origin, conference) : null
  }

  conferenceNames(): string[] {
    return [...this.members.values()].map((team) => team.conference)
  }

  isMember = (name: string): boolean => this.members.has(name)

  outsiders(): string[] {
    return this.names.filter((name) => !this.isMember(name))
  }

  /** Members without a game, and teams from outside with too many: usually one team under two names. */
  suspects(): { members: string[]; outsiders: string[] } {
    const games = new Map<string, number>()
    for (const name of this.schedule.flatMap((game) => [game.home, game.away]))
      games.set(name, (games.get(name) ?? 0) + 1)
    return {
      members: [...this.members.keys()].filter((name) => !games.has(name)),
      outsiders: this.outsiders().filter((name) => (games.get(name) ?? 0) >= manyGames),
    }
  }

  colourless(): string[] {
    return [...this.members.keys()].filter((name) => !this.looks.byTeam.has(this.espnId(name) ?? ''))
  }

  rows(): Row<'team'>[] {
    return this.names.map((name) => {
      const espn = this.espnId(name)
      const look = espn ? this.looks.byTeam.get(espn) : undefined
      const char6 = look?.abbreviation ?? name
      const names = { char6, name, alt_name: look?.display_name ?? name, source: espn ?? '' }
      return teamRow(this.id(name), espn ? `espn/teams/${espn}` : null, names, look)
    })
  }

  memberships(): Membership[] {
    return [...this.members.keys()].map((name) =>
      membershipOf(this.origin, this.id(name), this.conference(name)),
    )
  }
}

/** The division’s teams: those of its list, else those with an id in the boxscores, else all. */
function membersOf({ teams, boxes, schedule }: NcaaTables): readonly NcaaTeam[] {
  if (teams) return teams
  const ids = new Map(
    boxes.filter((box) => box.ncaa_team_id !== '').map((box) => [box.team, box.ncaa_team_id]),
  )
  const names = ids.size > 0 ? ids.keys() : new Set(schedule.flatMap((game) => [game.home, game.away]))
  return [...names].map((team) => ({ team, conference: '', id: ids.get(team) ?? team }))
}
