import type { Row } from '../../specification/tables.ts'
import { identify } from '../league/identity.ts'
import { collegeFootball } from '../leagues/college-football.ts'
import type { Boxscore, Facts, Line, Membership, PlayerBoxscore } from '../league/facts.ts'
import { playerLine, teamLine } from './cfblines.ts'
import { cfbNotes } from './cfbnotes.ts'
import { isPerson } from './cfbplayers.ts'
import type { Athlete, BettingLine, CfbGame, CfbTables, CfbTeam } from './cfbtables.ts'
import type { Looks } from './colours.ts'
import { ImportFailed } from './failure.ts'
import { finishedGame, namedRow, originOf, splitName, teamRow, unknownOfPlayer } from './rows.ts'
import type { Origin } from './rows.ts'
import type { Note } from './summary.ts'

export const cfbSource = 'cfbfastr'

export interface CfbFacts {
  readonly facts: Facts
  readonly notes: readonly Note[]
}

/** The season as the service keeps it, and what had to be decided on the way. */
export function cfbFacts(tables: CfbTables, looks: Looks): CfbFacts {
  const season = tables.schedule[0]?.season
  if (season === undefined) throw new ImportFailed('schedule has no games')
  const origin = originOf(cfbSource, season)
  const games = new Map(tables.schedule.map((game) => [game.game_id, game]))
  const teams = teamsOf(tables.schedule)
  const people = tables.athletes.filter((athlete) => isPerson(athlete) && games.has(athlete.game_id))
  const boxed = counted(tables.boxes.map((box) => box.game_id))
  const facts: Facts = {
    league: collegeFootball,
    organization: {
      organization_id: origin.organization_id,
      ...namedRow('CFB', 'College Football', origin.organization_id),
    },
    division: { division_id: origin.division_id, ...namedRow('D1', 'NCAA Division I', origin.division_id) },
    conferences: [],
    teams: teams.map((team) => cfbTeamRow(team, looks)),
    memberships: teams.map((team) => membership(origin, team)),
    ...rosterRows(origin, people),
    coaches: [],
    coachSeasons: [],
    transfers: [],
    games: tables.schedule.map((game) => gameRow(origin, game, boxed)),
    odds: tables.lines.filter((line) => isOffered(line, games)).map((line) => oddsRow(line, games)),
    boxscores: boxscoreRows(origin, tables, games),
    playerBoxscores: people.map((athlete) => playerBoxscoreRow(origin, athlete)),
  }
  return { facts, notes: cfbNotes(tables, teams, boxed, looks) }
}

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

const gameId = (id: string) => identify(cfbSource, 'game', id)
const teamId = (id: string) => identify(cfbSource, 'team', id)
const playerId = (id: string) => identify(cfbSource, 'player', id)

const isOffered = (line: BettingLine, games: ReadonlyMap<string, CfbGame>) =>
  !line.filler && games.has(line.game_id)

const teamsOf = (schedule: readonly CfbGame[]): CfbTeam[] => [
  ...new Map(schedule.flatMap(({ home, away }) => [home, away]).map((team) => [team.id, team])).values(),
]

function cfbTeamRow(team: CfbTeam, looks: Looks): Row<'team'> {
  const look = looks.byTeam.get(team.id)
  const names = { char6: team.abbreviation, name: look?.school ?? team.name, alt_name: team.name }
  return teamRow(teamId(team.id), `espn/teams/${team.id}`, names, look)
}

const membership = ({ organization_id, division_id, season }: Origin, team: CfbTeam): Membership => ({
  team_id: teamId(team.id),
  organization_id,
  division_id,
  season,
  conference_id: null,
})

const americanDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' })

/** The day of a game is the day in the eastern United States when it starts: a night game in UTC is tomorrow’s. */
export const dayOf = (start: string): string => americanDay.format(new Date(start))

/** A game takes up to four hours; nobody says when it ended. */
const gameLength = 4 * 3_600_000

function gameRow(origin: Origin, game: CfbGame, boxed: ReadonlyMap<string, number>): Row<'game'> {
  return {
    game_id: gameId(game.game_id),
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    season: game.season,
    away_team_id: teamId(game.away.id),
    home_team_id: teamId(game.home.id),
    away_score: game.final ? game.away_score : null,
    home_score: game.final ? game.home_score : null,
    ...stateOf(game),
    start_datetime: game.start,
    start_timestamp: Date.parse(game.start) / 1000,
    attendance: game.attendance,
    neutral_site: game.neutral_site ? 1 : 0,
    is_conf_game: game.conference ? 1 : 0,
    boxscore: boxed.get(game.game_id) === 2 ? 1 : 0,
    guid: `espn/games/${game.game_id}`,
  }
}

function stateOf(game: CfbGame) {
  const ended = new Date(Date.parse(game.start) + gameLength).toISOString()
  const finished = finishedGame(dayOf(game.start), ended)
  if (game.final) return finished
  const open = { status: 'scheduled', current_period: null, clock: null, clock_last_updated_at: null }
  return { ...finished, ...open, updated_at: null }
}

function boxscoreRows(origin: Origin, tables: CfbTables, games: ReadonlyMap<string, CfbGame>): Boxscore[] {
  const players = new Map<string, Line[]>()
  for (const { game_id, team_id, lines } of tables.athletes) {
    const key = `${game_id} ${team_id}`
    const known = players.get(key)
    if (known) known.push(...lines)
    else players.set(key, [...lines])
  }
  return tables.boxes.flatMap((box) => {
    const game = games.get(box.game_id)
    if (!game) return []
    const points = game.home.id === box.team_id ? game.home_score : game.away_score
    const line = teamLine(box, points, players.get(`${box.game_id} ${box.team_id}`) ?? null)
    return [boxscoreRow(origin, box.game_id, box.team_id, line)]
  })
}

function boxscoreRow(origin: Origin, game_id: string, team_id: string, line: Line): Boxscore {
  const boxscore_id = identify(cfbSource, 'boxscore', game_id, team_id)
  return {
    boxscore_id,
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    game_id: gameId(game_id),
    team_id: teamId(team_id),
    season: origin.season,
    sport_boxscore_id: identify(boxscore_id, 'football'),
    final: 1,
    deleted: 0,
    line,
  }
}

/** Players and their seasons, as far as boxscores show them. */
function rosterRows(origin: Origin, people: readonly Athlete[]): Pick<Facts, 'players' | 'playerSeasons'> {
  const known = [...new Map(people.map((athlete) => [athlete.athlete_id, athlete])).values()]
  return {
    players: known.map(playerRow),
    playerSeasons: known.map((athlete) => ({
      player_team_season_id: identify(cfbSource, 'player_team_season', athlete.athlete_id, origin.season),
      player_id: playerId(athlete.athlete_id),
      team_id: teamId(athlete.team_id),
      season: origin.season,
      guid: null,
      deleted: 0,
    })),
  }
}

const playerRow = (athlete: Athlete): Row<'player'> => ({
  player_id: playerId(athlete.athlete_id),
  ...splitName(athlete.name),
  position: null,
  height: null,
  number: athlete.jersey === '' ? null : athlete.jersey,
  hometown: null,
  guid: `espn/athletes/${athlete.athlete_id}`,
  deleted: 0,
  ...unknownOfPlayer,
})

function playerBoxscoreRow(origin: Origin, athlete: Athlete): PlayerBoxscore {
  const player_boxscore_id = identify(cfbSource, 'player_boxscore', athlete.game_id, athlete.athlete_id)
  return {
    player_boxscore_id,
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    game_id: gameId(athlete.game_id),
    team_id: teamId(athlete.team_id),
    player_id: playerId(athlete.athlete_id),
    season: origin.season,
    sport_player_boxscore_id: identify(player_boxscore_id, 'football'),
    final: 1,
    deleted: 0,
    ...splitName(athlete.name),
    position: null,
    line: playerLine(athlete.lines),
  }
}

/** The one line a game has stands for the closing line, dated by the start. */
function oddsRow(line: BettingLine, games: ReadonlyMap<string, CfbGame>): Row<'odds'> {
  return {
    odds_id: identify(cfbSource, 'odds', line.game_id),
    game_id: gameId(line.game_id),
    money_line_away: null,
    money_line_home: null,
    spread_away: line.home_spread === null ? null : 0 - line.home_spread,
    spread_home: line.home_spread,
    over: line.total,
    under: line.total,
    date_of_entry: games.get(line.game_id)?.start ?? null,
    live: 0,
    current: 1,
    deleted: 0,
  }
}
