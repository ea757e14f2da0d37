import { noFacts } from '../../../src/service/league/facts.ts'
import type { Boxscore, Facts, Line, PlayerBoxscore } from '../../../src/service/league/facts.ts'
import { usualLeague } from '../../../src/service/leagues/leagues.ts'
import type { Row } from '../../../src/specification/tables.ts'

export const smallLeague = { organization_id: 'small-organization', division_id: 'small-division' }

const teams = ['ants', 'bees', 'cats', 'dogs', 'elks', 'foxes']
const conferenceOf = (team: string) => (teams.indexOf(team) < 3 ? 'early' : 'late')
const players = ['one', 'two']
const seasons = [2025, 2026]

const named = (code: string) => ({ code, name: code, guid: null, inactive: 0, deleted: 0 })

/**
 * Two seasons of a basketball division of six teams: everybody meets everybody twice, three games a day, two
 * days apart.
 */
export function smallFacts(): Facts {
  const games = seasons.flatMap(gamesOf)
  return {
    ...noFacts,
    league: usualLeague.basketball,
    organization: { organization_id: smallLeague.organization_id, ...named('SO') },
    division: { division_id: smallLeague.division_id, ...named('SD') },
    conferences: ['early', 'late'].map((conference_id) => ({
      conference_id,
      ...smallLeague,
      code: conference_id,
      name: conference_id,
      guid: null,
      deleted: 0,
    })),
    teams: teams.map(teamRow),
    memberships: seasons.flatMap((season) =>
      teams.map((team_id) => ({ team_id, ...smallLeague, season, conference_id: conferenceOf(team_id) })),
    ),
    players: teams.flatMap((team) => players.map((name) => playerRow(team, name))),
    playerSeasons: seasons.flatMap((season) =>
      teams.flatMap((team_id) =>
        players.map((name) => ({
          player_team_season_id: `${team_id} ${name} ${season}`,
          player_id: `${team_id} ${name}`,
          team_id,
          season,
          guid: null,
          deleted: 0,
        })),
      ),
    ),
    coaches: teams.map((team) => ({
      coach_id: `coach of ${team}`,
      first_name: 'Coach',
      last_name: team,
      guid: null,
      deleted: 0,
    })),
    coachSeasons: seasons.flatMap((season) =>
      teams.map((team_id) => ({ coach_id: `coach of ${team_id}`, team_id, season })),
    ),
    games,
    boxscores: games.flatMap((game) => [boxscore(game, 'home'), boxscore(game, 'away')]),
    playerBoxscores: games.flatMap((game) => [
      ...playerBoxscores(game, 'home'),
      ...playerBoxscores(game, 'away'),
    ]),
  }
}

const teamRow = (team_id: string): Row<'team'> => ({
  team_id,
  char6: team_id.slice(0, 4).toUpperCase(),
  code: team_id,
  name: team_id,
  alt_name: team_id,
  primary_color: '#102030',
  secondary_color: null,
  guid: null,
  deleted: 0,
  conference_id: null,
})

const playerRow = (team: string, name: string): Row<'player'> => ({
  player_id: `${team} ${name}`,
  first_name: name,
  last_name: team,
  position: 'G',
  height: '6-4',
  weight: null,
  number: '1',
  hometown: null,
  guid: null,
  deleted: 0,
  college: null,
  draft_year: null,
  draft_round: null,
  draft_number: null,
})

/** The circle method: one team stays, the others move on by one place each round. */
function gamesOf(season: number): Row<'game'>[] {
  const rounds = Array.from({ length: 10 }, (_, round) => round)
  return rounds.flatMap((round) => {
    const circle = [0, 1, 2, 3, 4].map((place) => teams[1 + ((place + round) % 5)] ?? '')
    const pairs = [
      ['ants', circle[0]],
      [circle[1], circle[4]],
      [circle[2], circle[3]],
    ] as [string, string][]
    return pairs.map(([one, other], place) =>
      gameRow(season, round, place, round < 5 ? [one, other] : [other, one]),
    )
  })
}

function gameRow(season: number, round: number, place: number, [home, away]: [string, string]): Row<'game'> {
  const day = new Date(Date.UTC(season - 1, 10, 3 + round * 2)).toISOString()
  const at = (hour: number) => day.replace('T00', `T${hour}`)
  const skill = (teams.indexOf(away) - teams.indexOf(home)) * 4
  const swing = ((season + round * 7 + place * 5) % 11) * 2 - 10
  return {
    game_id: `${season} ${round} ${place}`,
    ...smallLeague,
    season,
    away_team_id: away,
    home_team_id: home,
    network: null,
    away_score: 70,
    home_score: 70 + (skill + swing || 1),
    status: 'final',
    current_period: 'Final',
    clock: '0:00',
    clock_last_updated_at: at(20 + place),
    start_date: day,
    start_datetime: at(18 + place),
    start_timestamp: Date.parse(at(18 + place)) / 1000,
    updated_at: at(20 + place),
    attendance: 100,
    neutral_site: 0,
    is_conf_game: conferenceOf(home) === conferenceOf(away) ? 1 : 0,
    boxscore: 1,
    guid: null,
    deleted: 0,
  }
}

const shared = (game: Row<'game'>, side: 'home' | 'away') => ({
  ...smallLeague,
  game_id: game.game_id,
  team_id: side === 'home' ? game.home_team_id : game.away_team_id,
  season: game.season,
  final: 1,
  deleted: 0,
})

const lineOf = (points: number): Line => ({
  minutes_played: 200,
  field_goal: 25,
  field_goal_attempts: 60,
  free_throw_attempts: 20,
  offensive_rebounds: 10,
  turnovers: 12,
  points,
})

const pointsOf = (game: Row<'game'>, side: 'home' | 'away') =>
  (side === 'home' ? game.home_score : game.away_score) ?? 0

const boxscore = (game: Row<'game'>, side: 'home' | 'away'): Boxscore => ({
  boxscore_id: `${game.game_id} ${side}`,
  ...shared(game, side),
  sport_boxscore_id: null,
  line: lineOf(pointsOf(game, side)),
})

function playerBoxscores(game: Row<'game'>, side: 'home' | 'away'): PlayerBoxscore[] {
  const points = pointsOf(game, side)
  return players.map((name, index) => ({
    player_boxscore_id: `${game.game_id} ${side} ${name}`,
    ...shared(game, side),
    player_id: `${side === 'home' ? game.home_team_id : game.away_team_id} ${name}`,
    sport_player_boxscore_id: null,
    first_name: name,
    last_name: '',
    position: 'G',
    line: lineOf(index === 0 ? 30 : points - 30),
  }))
}

/**
 * The same facts as they were before some games had been played: those after `rounds` rounds of the last
 * season.
 */
export function factsThrough(rounds: number): Facts {
  const facts = smallFacts()
  const over = (game: Row<'game'>) =>
    game.season !== seasons.at(-1) || Number(game.game_id?.split(' ')[1]) < rounds
  const ids = new Set(facts.games.filter(over).map((game) => game.game_id))
  const open = { status: 'scheduled', current_period: null, clock: null, home_score: null, away_score: null }
  return {
    ...facts,
    games: facts.games.map((game) => (over(game) ? game : Object.assign(game, open))),
    boxscores: facts.boxscores.filter((box) => ids.has(box.game_id)),
    playerBoxscores: facts.playerBoxscores.filter((box) => ids.has(box.game_id)),
  }
}
