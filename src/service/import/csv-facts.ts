import type { Row } from '../../specification/tables.ts'
import { noFacts } from '../league/facts.ts'
import type { Boxscore, Facts, PlayerBoxscore } from '../league/facts.ts'
import { identify } from '../league/identity.ts'
import type { League } from '../leagues/league.ts'
import { ImportFailed } from './faults.ts'
import { conferenceId, conferenceRows, keyOfGame, leagueRows, membershipOf, originOf } from './origin.ts'
import type { Origin } from './origin.ts'
import { csvNotes } from './csv-notes.ts'
import { standings } from './csv-standings.ts'
import type { CsvStanding } from './csv-standings.ts'
import type { CsvGame, CsvPlayer, CsvPlayerBox, CsvTables, CsvTeam } from './csv-tables.ts'
import type { CsvBox } from './csv-boxscores.ts'
import { oddsRows } from './csv-odds.ts'
import { heightOf } from './height.ts'
import { endedBy, splitName, stateOf, teamRow, unknownOfPlayer } from './rows.ts'
import { areBelievable } from './scored-game.ts'
import type { SeasonRead } from './season.ts'

export const csvSource = 'csv'

/** The season as the service stores it. @throws {ImportFailed} if a row names an unknown team or game */
export function csvFacts(tables: CsvTables, league: League, name: string): SeasonRead {
  const season = tables.games[0]?.season
  if (season === undefined) throw new ImportFailed('games has no games')
  const origin = originOf(csvSource, season, league, name)
  const teams = new Map(tables.teams.map((team) => [team.team_id, team]))
  const games = standings(tables)
  checkTeams(tables, teams)
  const believed = areBelievable([...games.values()])
  const played = <B extends CsvBox>(boxes: readonly B[]) =>
    boxes.filter((box) => games.get(box.game_id)?.status === 'final')
  const members = tables.teams.filter((team) => team.member)
  const people = rosterOf(tables)
  const facts: Facts = {
    ...noFacts,
    ...leagueRows(origin),
    conferences: conferenceRows(
      origin,
      members.map((team) => team.conference),
    ),
    teams: tables.teams.map((team) => csvTeamRow(origin, team)),
    memberships: members.map((team) =>
      membershipOf(
        origin,
        origin.key('team', team.team_id),
        team.conference === '' ? null : conferenceId(origin, team.conference),
      ),
    ),
    players: people.map((player) => playerRow(origin, player)),
    playerSeasons: people.map((player) => playerSeason(origin, player)),
    games: [...games.values()].map((game) => gameRow(origin, game, teams, believed)),
    odds: oddsRows(origin, tables.odds, games),
    boxscores: played(tables.boxes).map((box) => boxscoreRow(origin, box, believed)),
    playerBoxscores: played(tables.playerBoxes).map((box) => playerBoxscoreRow(origin, box)),
  }
  const appearances = tables.players.flatMap(({ player_id, games: count }) =>
    count === null ? [] : [[origin.key('player', player_id), count] as const],
  )
  return {
    facts,
    appearances: new Map(appearances),
    notes: csvNotes(tables, [...games.values()], believed),
    read: tables.read,
  }
}

function checkTeams(tables: CsvTables, teams: ReadonlyMap<string, CsvTeam>): void {
  for (const [index, game] of tables.games.entries())
    for (const [column, team] of [
      ['home_team_id', game.home],
      ['away_team_id', game.away],
    ] as const)
      if (!teams.has(team))
        throw new ImportFailed(
          `${tables.read[0]?.file ?? 'games'} row ${index + 1}: ${column} is not in teams: ${JSON.stringify(team)}`,
        )
}

/** The players of the season’s list, and those who appear only in boxscores. */
function rosterOf(tables: CsvTables): CsvPlayer[] {
  const unlisted = { position: '', height: '', number: '', hometown: '', games: null }
  const known = new Map<string, CsvPlayer>()
  for (const { player_id, team_id, name } of tables.playerBoxes)
    known.set(player_id, { player_id, team_id, name, ...unlisted })
  for (const player of tables.players) known.set(player.player_id, player)
  return [...known.values()]
}

const colour = (text: string) =>
  /^#?[0-9a-f]{6}$/i.test(text) ? `#${text.replace('#', '').toUpperCase()}` : null

function csvTeamRow(origin: Origin, team: CsvTeam): Row<'team'> {
  const names = {
    char6: team.abbreviation || team.name,
    name: team.name,
    alt_name: team.full_name || team.name,
    source: team.team_id,
  }
  const primary_color = colour(team.primary_color)
  const row = teamRow(origin.key('team', team.team_id), null, names, undefined)
  return {
    ...row,
    primary_color: primary_color ?? row.primary_color,
    secondary_color: colour(team.secondary_color),
  }
}

function gameRow(
  origin: Origin,
  game: CsvStanding,
  teams: ReadonlyMap<string, CsvTeam>,
  believed: boolean,
): Row<'game'> {
  const final = game.status === 'final'
  return {
    game_id: keyOfGame(origin, 'game', game.game_id),
    organization_id: origin.organization_id,
    division_id: origin.division_id,
    season: game.season,
    away_team_id: origin.key('team', game.away),
    home_team_id: origin.key('team', game.home),
    away_score: final ? game.away_score : null,
    home_score: final ? game.home_score : null,
    ...stateOf(game.status, game.day, endedBy(game.day, game.start)),
    network: game.network,
    start_datetime: game.start,
    start_timestamp: game.start === null ? null : Date.parse(game.start) / 1000,
    attendance: game.attendance,
    neutral_site: game.neutral_site === null ? null : game.neutral_site ? 1 : 0,
    is_conf_game: (game.conference ?? sameConference(game, teams)) ? 1 : 0,
    boxscore: believed && final && game.sides === 2 ? 1 : 0,
    guid: `csv/games/${game.game_id}`,
  }
}

function sameConference(game: CsvGame, teams: ReadonlyMap<string, CsvTeam>): boolean {
  const [home, away] = [teams.get(game.home), teams.get(game.away)]
  if (!home?.member || !away?.member) return false
  return home.conference !== '' && home.conference === away.conference
}

const shared = (origin: Origin, box: CsvBox) => ({
  organization_id: origin.organization_id,
  division_id: origin.division_id,
  game_id: keyOfGame(origin, 'game', box.game_id),
  team_id: origin.key('team', box.team_id),
  season: origin.season,
  final: 1,
  line: box.line,
})

function boxscoreRow(origin: Origin, box: CsvBox, believed: boolean): Boxscore {
  const boxscore_id = keyOfGame(origin, 'boxscore', box.game_id, box.team_id)
  const { sport } = origin.league.rules
  return {
    boxscore_id,
    ...shared(origin, box),
    sport_boxscore_id: identify(boxscore_id, sport),
    deleted: believed ? 0 : 1,
  }
}

function playerBoxscoreRow(origin: Origin, box: CsvPlayerBox): PlayerBoxscore {
  const player_boxscore_id = keyOfGame(origin, 'player_boxscore', box.game_id, box.player_id)
  return {
    player_boxscore_id,
    ...shared(origin, box),
    player_id: origin.key('player', box.player_id),
    sport_player_boxscore_id: identify(player_boxscore_id, origin.league.rules.sport),
    deleted: 0,
    ...splitName(box.name),
    position: null,
  }
}

const orNull = (text: string) => (text === '' ? null : text)

const playerRow = (origin: Origin, player: CsvPlayer): Row<'player'> => ({
  player_id: origin.key('player', player.player_id),
  ...splitName(player.name),
  position: orNull(player.position),
  height: heightOf(player.height),
  number: orNull(player.number),
  hometown: orNull(player.hometown),
  guid: null,
  deleted: 0,
  ...unknownOfPlayer,
})

const playerSeason = (origin: Origin, player: CsvPlayer): Row<'player_team_season'> => ({
  player_team_season_id: origin.key('player_team_season', player.player_id, origin.season),
  player_id: origin.key('player', player.player_id),
  team_id: origin.key('team', player.team_id),
  season: origin.season,
  guid: null,
  deleted: 0,
})
