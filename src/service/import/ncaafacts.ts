import type { Row } from '../../specification/tables.ts'
import { identify } from '../league/identity.ts'
import { mensCollegeBasketball } from '../leagues/mens-college-basketball.ts'
import type { Boxscore, Facts } from '../league/facts.ts'
import type { Looks } from './colours.ts'
import { ImportFailed } from './failure.ts'
import { ncaaNotes } from './ncaanotes.ts'
import type { NcaaPlayer, NcaaTables, NcaaTeam, SideBox } from './ncaatables.ts'
import { conferenceId, Teams } from './ncaateams.ts'
import { ScoredGame } from './scoredgame.ts'
import { codeOf, finishedGame, namedRow, originOf, splitName, unknownOfPlayer } from './rows.ts'
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
    league: mensCollegeBasketball,
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
  return { facts, appearances: new Map(appearances), notes: ncaaNotes(tables, games, teams, looks) }
}

const gameId = (contest_id: string) => identify(ncaaSource, 'game', contest_id)
const playerId = (player_id: string) => identify(ncaaSource, 'player', player_id)

function conferenceRows(origin: Origin, teams: readonly NcaaTeam[]): Row<'conference'>[] {
  const names = [...new Set(teams.map((team) => team.conference))].filter((name) => name !== '')
  return names.map((name) => ({
    conference_id: conferenceId(origin.source, name),
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
