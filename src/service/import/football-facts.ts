import type { Row } from '../../specification/tables.ts'
import { noFacts } from '../league/facts.ts'
import type { Boxscore, Facts, PlayerBoxscore } from '../league/facts.ts'
import { identify } from '../league/identity.ts'
import { collegeFootball } from '../leagues/college-football.ts'
import type { Line } from '../numbers/line.ts'
import { isOffered, standing } from './football-game.ts'
import type { StandingGame } from './football-game.ts'
import { playerLine, teamLine } from './football-lines.ts'
import { cfbNotes } from './football-notes.ts'
import { isPerson } from './football-players.ts'
import type { Athlete, BettingLine, CfbGame, CfbTables, CfbTeam } from './football-tables.ts'
import type { Looks } from './colours.ts'
import { ImportFailed } from './faults.ts'
import { conferenceId, conferenceRows, leagueRows, membershipOf, originOf } from './origin.ts'
import type { Origin } from './origin.ts'
import { endedBy, splitName, stateOf, teamRow, unknownOfPlayer } from './rows.ts'
import type { Note } from './summary.ts'

export const cfbSource = 'cfbfastr'

export interface CfbFacts {
  readonly facts: Facts
  readonly notes: readonly Note[]
}

/**
 * The season as the service stores it, and notes on decisions.
 * @param league a league of its own, beside the source’s usual one
 */
export function cfbFacts(tables: CfbTables, looks: Looks, league?: string): CfbFacts {
  const season = tables.schedule[0]?.season
  if (season === undefined) throw new ImportFailed('schedule has no games')
  const origin = originOf(cfbSource, season, collegeFootball, league)
  const boxed = counted(tables.boxes.map((box) => box.game_id))
  const games = new Map(tables.schedule.map((game) => [game.game_id, standing(game, boxed)]))
  const isFinal = (game_id: string) => games.get(game_id)?.status === 'final'
  const teams = teamsOf(tables.schedule)
  const people = tables.athletes.filter((athlete) => isPerson(athlete) && isFinal(athlete.game_id))
  const facts: Facts = {
    ...noFacts,
    ...leagueRows(origin),
    conferences: conferenceRows(origin, conferenceNames(tables, teams)),
    teams: teams.map((team) => cfbTeamRow(origin, team, looks)),
    memberships: teams.map((team) =>
      membershipOf(origin, teamId(origin, team.id), conferenceOf(origin, tables, team)),
    ),
    ...rosterRows(origin, people),
    games: [...games.values()].map((game) => gameRow(origin, game)),
    odds: tables.lines
      .filter((line) => isOffered(line) && games.has(line.game_id))
      .map((line) => oddsRow(origin, line, games)),
    boxscores: boxscoreRows(origin, tables, games),
    playerBoxscores: people.map((athlete) => playerBoxscoreRow(origin, athlete)),
  }
  return { facts, notes: cfbNotes(tables, teams, [...games.values()], looks) }
}

const conferenceNames = ({ conferences }: CfbTables, teams: readonly CfbTeam[]): string[] =>
  teams.map((team) => conferences?.get(team.id) ?? '')

function conferenceOf(origin: Origin, { conferences }: CfbTables, team: CfbTeam): string | null {
  const name = conferences?.get(team.id)
  return name ? conferenceId(origin, name) : null
}

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

const gameId = (origin: Origin, id: string) => origin.key('game', id)
const teamId = (origin: Origin, id: string) => origin.key('team', id)
const playerId = (origin: Origin, id: string) => origin.key('player', id)

const teamsOf = (schedule: readonly CfbGame[]): CfbTeam[] => [
  ...new Map(schedule.flatMap(({ home, away }) => [home, away]).map((team) => [team.id, team])).values(),
]

function cfbTeamRow(origin: Origin, team: CfbTeam, looks: Looks): Row<'team'> {
  const look = looks.byTeam.get(team.id)
  const name = look?.school ?? team.name
  const names = { char6: team.abbreviation, name, alt_name: team.name, source: team.id }
  return teamRow(teamId(origin, team.id), `espn/teams/${team.id}`, names, look)
}

function gameRow(origin: Origin, game: StandingGame): Row<'game'> {
  const final = game.status === 'final'
  return {
    game_id: gameId(origin, game.game_id),
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    season: game.season,
    away_team_id: teamId(origin, game.away.id),
    home_team_id: teamId(origin, game.home.id),
    away_score: final ? game.away_score : null,
    home_score: final ? game.home_score : null,
    ...stateOf(game.status, game.day, endedBy(game.day, game.start)),
    start_datetime: game.start,
    start_timestamp: game.start === null ? null : Date.parse(game.start) / 1000,
    attendance: game.attendance,
    neutral_site: game.neutral_site === null ? null : game.neutral_site ? 1 : 0,
    is_conf_game: game.conference ? 1 : 0,
    boxscore: final && game.sides === 2 ? 1 : 0,
    guid: `espn/games/${game.game_id}`,
  }
}

function boxscoreRows(
  origin: Origin,
  tables: CfbTables,
  games: ReadonlyMap<string, StandingGame>,
): Boxscore[] {
  const players = new Map<string, Line[]>()
  for (const { game_id, team_id, lines } of tables.athletes) {
    const key = `${game_id} ${team_id}`
    const known = players.get(key)
    if (known) known.push(...lines)
    else players.set(key, [...lines])
  }
  return tables.boxes.flatMap((box) => {
    const game = games.get(box.game_id)
    if (game?.status !== 'final') return []
    const points = game.home.id === box.team_id ? game.home_score : game.away_score
    const line = teamLine(box, points, players.get(`${box.game_id} ${box.team_id}`) ?? null)
    return [boxscoreRow(origin, box.game_id, box.team_id, line)]
  })
}

function boxscoreRow(origin: Origin, game_id: string, team_id: string, line: Line): Boxscore {
  const boxscore_id = origin.key('boxscore', game_id, team_id)
  return {
    boxscore_id,
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    game_id: gameId(origin, game_id),
    team_id: teamId(origin, team_id),
    season: origin.season,
    sport_boxscore_id: identify(boxscore_id, 'football'),
    final: 1,
    deleted: 0,
    line,
  }
}

/** Players and their seasons, from boxscores alone. */
function rosterRows(origin: Origin, people: readonly Athlete[]): Pick<Facts, 'players' | 'playerSeasons'> {
  const known = [...new Map(people.map((athlete) => [athlete.athlete_id, athlete])).values()]
  return {
    players: known.map((athlete) => playerRow(origin, athlete)),
    playerSeasons: known.map((athlete) => ({
      player_team_season_id: origin.key('player_team_season', athlete.athlete_id, origin.season),
      player_id: playerId(origin, athlete.athlete_id),
      team_id: teamId(origin, athlete.team_id),
      season: origin.season,
      guid: null,
      deleted: 0,
    })),
  }
}

const playerRow = (origin: Origin, athlete: Athlete): Row<'player'> => ({
  player_id: playerId(origin, athlete.athlete_id),
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
  const player_boxscore_id = origin.key('player_boxscore', athlete.game_id, athlete.athlete_id)
  return {
    player_boxscore_id,
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    game_id: gameId(origin, athlete.game_id),
    team_id: teamId(origin, athlete.team_id),
    player_id: playerId(origin, athlete.athlete_id),
    season: origin.season,
    sport_player_boxscore_id: identify(player_boxscore_id, 'football'),
    final: 1,
    deleted: 0,
    ...splitName(athlete.name),
    position: null,
    line: playerLine(athlete.lines),
  }
}

/** A game’s only line counts as the closing line, dated at the start. */
function oddsRow(origin: Origin, line: BettingLine, games: ReadonlyMap<string, StandingGame>): Row<'odds'> {
  const game = games.get(line.game_id)
  return {
    odds_id: origin.key('odds', line.game_id),
    game_id: gameId(origin, line.game_id),
    money_line_away: null,
    money_line_home: null,
    spread_away: line.home_spread === null ? null : 0 - line.home_spread,
    spread_home: line.home_spread,
    over: line.total,
    under: line.total,
    date_of_entry: game?.start ?? (game ? `${game.day}T00:00:00.000Z` : null),
    live: 0,
    current: 1,
    deleted: 0,
  }
}
