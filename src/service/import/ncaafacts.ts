import type { Row } from '../../specification/tables.ts'
import { identify } from '../league/identity.ts'
import type { Boxscore, Facts, Membership } from '../league/facts.ts'
import type { Looks } from './colours.ts'
import { ImportFailed } from './failure.ts'
import type { NcaaPlayer, NcaaTables, NcaaTeam, ScheduledGame, SideBox } from './ncaatables.ts'
import { codeOf, finishedGame, namedRow, originOf, splitName, teamRow, unknownOfPlayer } from './rows.ts'
import type { Origin } from './rows.ts'
import type { Note } from './summary.ts'

export const ncaaSource = 'ncaa-hoops'

export interface NcaaFacts {
  readonly facts: Facts
  /** Games played this season, by player. */
  readonly appearances: ReadonlyMap<string, number>
  readonly notes: readonly Note[]
}

/** The season as the service keeps it, and what had to be decided on the way. */
export function ncaaFacts(tables: NcaaTables, looks: Looks): NcaaFacts {
  const season = tables.schedule[0]?.season
  if (season === undefined) throw new ImportFailed('schedule has no games')
  const origin = originOf(ncaaSource, season)
  const teams = new Teams(origin, tables)
  const boxes = new Map(tables.boxes.map((box) => [`${box.contest_id} ${box.team}`, box]))
  const games = tables.schedule.map((game) => new ScoredGame(game, boxes))
  const facts: Facts = {
    sport: 'basketball',
    organization: {
      organization_id: origin.organization_id,
      ...namedRow('CBB', 'College Basketball', origin.organization_id),
    },
    division: { division_id: origin.division_id, ...namedRow('D1', 'NCAA Division I', origin.division_id) },
    conferences: conferenceRows(origin, tables.teams),
    teams: teams.rows(looks),
    memberships: teams.memberships(),
    players: tables.players.map((player) => playerRow(player)),
    playerSeasons: tables.players.map((player) => playerSeason(player, teams, season)),
    coaches: [],
    coachSeasons: [],
    transfers: [],
    games: games.map((game) => gameRow(origin, game, teams)),
    odds: [],
    boxscores: games.flatMap((game) => game.sides.map((box) => boxscoreRow(origin, box, teams))),
    playerBoxscores: [],
  }
  const appearances = tables.players.flatMap(({ player_id, games }) =>
    games === null ? [] : [[playerId(player_id), games] as const],
  )
  return { facts, appearances: new Map(appearances), notes: notesOf(tables, games, teams, looks) }
}

/** The teams of a season by the name that the source gives them: those of the division, and those from outside that they met. */
class Teams {
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
    return identify(ncaaSource, 'team', espn ? `espn ${espn}` : `name ${name}`)
  }

  idOfNcaa(ncaaId: string): string | null {
    const name = this.byNcaaId.get(ncaaId)
    return name === undefined ? null : this.id(name)
  }

  conference(name: string): string | null {
    const conference = this.members.get(name)?.conference
    return conference ? conferenceId(conference) : null
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

/** A game with both boxes, and the score that they and the schedule agree on. */
class ScoredGame {
  readonly game: ScheduledGame
  readonly sides: readonly SideBox[]
  readonly home_score: number | null
  readonly away_score: number | null
  /** The schedule has the two scores the wrong way round; the box is right. */
  readonly swapped: boolean
  /** The box and the schedule differ otherwise: the schedule is the official score, the box lacks a play. */
  readonly disputed: boolean

  constructor(game: ScheduledGame, boxes: ReadonlyMap<string, SideBox>) {
    const [home, away] = [game.home, game.away].map((team) => boxes.get(`${game.contest_id} ${team}`))
    const [homePoints, awayPoints] = [home?.line['points'] ?? null, away?.line['points'] ?? null]
    const complete = homePoints !== null && awayPoints !== null
    const agreed = game.home_score === homePoints && game.away_score === awayPoints
    this.game = game
    this.sides = [away, home].filter((box) => box !== undefined)
    this.swapped = complete && !agreed && game.home_score === awayPoints && game.away_score === homePoints
    this.disputed = complete && !agreed && !this.swapped
    this.home_score = this.swapped ? homePoints : game.home_score
    this.away_score = this.swapped ? awayPoints : game.away_score
  }
}

const gameId = (contest_id: string) => identify(ncaaSource, 'game', contest_id)
const playerId = (player_id: string) => identify(ncaaSource, 'player', player_id)
const conferenceId = (name: string) => identify(ncaaSource, 'conference', name)

function conferenceRows(origin: Origin, teams: readonly NcaaTeam[]): Row<'conference'>[] {
  const names = [...new Set(teams.map((team) => team.conference))].filter((name) => name !== '')
  return names.map((name) => ({
    conference_id: conferenceId(name),
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    code: codeOf(name),
    name,
    guid: null,
    deleted: 0,
  }))
}

function gameRow(origin: Origin, scored: ScoredGame, teams: Teams): Row<'game'> {
  const { game, home_score, away_score } = scored
  const conference = teams.conference(game.home)
  return {
    game_id: gameId(game.contest_id),
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    season: game.season,
    away_team_id: teams.id(game.away),
    home_team_id: teams.id(game.home),
    away_score,
    home_score,
    ...finishedGame(game.day, `${game.day}T23:59:59.000Z`),
    start_datetime: null,
    start_timestamp: null,
    attendance: null,
    neutral_site: null,
    is_conf_game: conference !== null && conference === teams.conference(game.away) ? 1 : 0,
    boxscore: scored.sides.length === 2 ? 1 : 0,
    guid: `ncaa/contests/${game.contest_id}`,
  }
}

function boxscoreRow(origin: Origin, box: SideBox, teams: Teams): Boxscore {
  const boxscore_id = identify(ncaaSource, 'boxscore', box.contest_id, box.team)
  return {
    boxscore_id,
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    game_id: gameId(box.contest_id),
    team_id: teams.id(box.team),
    season: origin.season,
    sport_boxscore_id: identify(boxscore_id, 'basketball'),
    final: 1,
    deleted: 0,
    line: box.line,
  }
}

const orNull = (text: string) => (text === '' ? null : text)

function playerRow(player: NcaaPlayer): Row<'player'> {
  return {
    player_id: playerId(player.player_id),
    ...splitName(player.name),
    position: orNull(player.position),
    height: orNull(player.height),
    number: orNull(player.jersey),
    hometown: orNull(player.hometown),
    guid: `ncaa/players/${player.player_id}`,
    deleted: 0,
    ...unknownOfPlayer,
  }
}

const playerSeason = (player: NcaaPlayer, teams: Teams, season: number): Row<'player_team_season'> => ({
  player_team_season_id: identify(ncaaSource, 'player_team_season', player.player_id, season),
  player_id: playerId(player.player_id),
  team_id: teams.idOfNcaa(player.team_id),
  season,
  guid: null,
  deleted: 0,
})

function notesOf(
  tables: NcaaTables,
  games: readonly ScoredGame[],
  teams: Teams,
  looks: Looks,
): readonly Note[] {
  const outsiders = new Set(teams.outsiders())
  const abroad = games.filter(({ game }) => outsiders.has(game.home) || outsiders.has(game.away))
  const known = new Set(tables.schedule.map((game) => game.contest_id))
  return [
    {
      what: 'games with home and away score swapped in the schedule',
      count: games.filter((game) => game.swapped).length,
      why: 'put right from the boxscore',
    },
    {
      what: 'games whose boxscore and schedule differ otherwise',
      count: games.filter((game) => game.disputed).length,
      why: 'the game has the schedule’s score, the boxscore its own points',
    },
    {
      what: 'games with a team from outside the division',
      count: abroad.length,
      why: 'kept with both boxscores; that team has no conference, rating or statistics',
    },
    {
      what: 'teams from outside the division',
      count: outsiders.size,
      why: 'kept as teams without membership, colours or roster',
    },
    {
      what: 'games without two boxscores',
      count: games.filter((game) => game.sides.length < 2).length,
      why: 'kept with the schedule’s score; they count for records, not for averages',
    },
    {
      what: 'boxscores of games that the schedule does not have',
      count: tables.boxes.filter((box) => !known.has(box.contest_id)).length,
      why: 'left out',
    },
    {
      what: 'teams of the division without colours',
      count: teams.colourless(looks).length,
      why: 'hoopr-teams does not know them: a neutral grey',
    },
    {
      what: 'boxscores without steals and fouls',
      count: tables.boxes.length,
      why: 'the source counts neither: null',
    },
    {
      what: 'games without start time, site, attendance and network',
      count: games.length,
      why: 'the source has the day alone: null',
    },
    {
      what: 'players without boxscores',
      count: tables.players.length,
      why: 'the source has none: statistics are the games played, the rest null',
    },
  ]
}
