import type { Row } from '../../specification/tables.ts'
import { noFacts } from '../league/facts.ts'
import type { Boxscore, Facts } from '../league/facts.ts'
import { identify } from '../league/identity.ts'
import { mensCollegeBasketball } from '../leagues/mens-college-basketball.ts'
import type { Looks } from './colours.ts'
import { ImportFailed } from './faults.ts'
import { heightOf } from './height.ts'
import { ncaaNotes } from './basketball-notes.ts'
import type { NcaaPlayer, NcaaTables, SideBox } from './basketball-tables.ts'
import { Teams } from './basketball-teams.ts'
import { conferenceRows, leagueRows, originOf } from './origin.ts'
import type { Origin } from './origin.ts'
import { areBelievable, ScoredGame } from './scored-game.ts'
import { endedBy, splitName, stateOf, unknownOfPlayer } from './rows.ts'
import type { Note } from './summary.ts'

export const ncaaSource = 'ncaa-hoops'

export interface NcaaFacts {
  readonly facts: Facts
  /** Games played this season, by player. */
  readonly appearances: ReadonlyMap<string, number>
  readonly notes: readonly Note[]
}

/**
 * The season as the service stores it, and notes on decisions.
 * @param league a league of its own, beside the source’s usual one
 */
export function ncaaFacts(tables: NcaaTables, looks: Looks, league?: string): NcaaFacts {
  const season = tables.schedule[0]?.season
  if (season === undefined) throw new ImportFailed('schedule has no games')
  const origin = originOf(ncaaSource, season, mensCollegeBasketball, league)
  const teams = new Teams(origin, tables, looks)
  const boxes = new Map(teams.boxes.map((box) => [`${box.contest_id} ${box.team}`, box]))
  const games = teams.schedule.map((game) => new ScoredGame(game, boxes))
  const believed = areBelievable(games)
  const players = tables.players.filter((player) => teams.idOfNcaa(player.team_id) !== null)
  const facts: Facts = {
    ...noFacts,
    ...leagueRows(origin),
    conferences: conferenceRows(origin, teams.conferenceNames()),
    teams: teams.rows(),
    memberships: teams.memberships(),
    players: players.map((player) => playerRow(origin, player)),
    playerSeasons: players.map((player) => playerSeason(origin, player, teams)),
    games: games.map((game) => gameRow(origin, game, teams, believed)),
    boxscores: games.flatMap((game) => game.sides.map((box) => boxscoreRow(origin, box, teams, believed))),
  }
  const appearances = players.flatMap(({ player_id, games: played }) =>
    played === null ? [] : [[playerId(origin, player_id), played] as const],
  )
  return { facts, appearances: new Map(appearances), notes: ncaaNotes(tables, games, teams, believed) }
}

const gameId = (origin: Origin, contest_id: string) => origin.key('game', contest_id)
const playerId = (origin: Origin, player_id: string) => origin.key('player', player_id)

function gameRow(origin: Origin, scored: ScoredGame, teams: Teams, believed: boolean): Row<'game'> {
  const { game, home_score, away_score } = scored
  const conference = teams.conference(game.home)
  return {
    game_id: gameId(origin, game.contest_id),
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    season: game.season,
    away_team_id: teams.id(game.away),
    home_team_id: teams.id(game.home),
    away_score,
    home_score,
    ...stateOf(scored.status, game.day, endedBy(game.day, game.start)),
    start_datetime: game.start,
    start_timestamp: game.start === null ? null : Date.parse(game.start) / 1000,
    attendance: null,
    neutral_site: null,
    is_conf_game: conference !== null && conference === teams.conference(game.away) ? 1 : 0,
    boxscore: believed && scored.sides.length === 2 ? 1 : 0,
    guid: `ncaa/contests/${game.contest_id}`,
  }
}

/** Boxscores that contradict the schedule are kept as withdrawn, so no average contains them. */
function boxscoreRow(origin: Origin, box: SideBox, teams: Teams, believed: boolean): Boxscore {
  const boxscore_id = origin.key('boxscore', box.contest_id, box.team)
  return {
    boxscore_id,
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    game_id: gameId(origin, box.contest_id),
    team_id: teams.id(box.team),
    season: origin.season,
    sport_boxscore_id: identify(boxscore_id, 'basketball'),
    final: 1,
    deleted: believed ? 0 : 1,
    line: box.line,
  }
}

const orNull = (text: string) => (text === '' ? null : text)

function playerRow(origin: Origin, player: NcaaPlayer): Row<'player'> {
  return {
    player_id: playerId(origin, player.player_id),
    ...splitName(player.name),
    position: orNull(player.position),
    height: heightOf(player.height),
    number: orNull(player.jersey),
    hometown: orNull(player.hometown),
    guid: `ncaa/players/${player.player_id}`,
    deleted: 0,
    ...unknownOfPlayer,
  }
}

const playerSeason = (origin: Origin, player: NcaaPlayer, teams: Teams): Row<'player_team_season'> => ({
  player_team_season_id: origin.key('player_team_season', player.player_id, origin.season),
  player_id: playerId(origin, player.player_id),
  team_id: teams.idOfNcaa(player.team_id),
  season: origin.season,
  guid: null,
  deleted: 0,
})
