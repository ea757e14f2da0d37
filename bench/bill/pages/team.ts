import { keyIn, rowsIn } from '../../json.ts'
import {
  among,
  currentElo,
  dayIn,
  eloHistory,
  getGames,
  playerStats,
  read,
  roster,
  seasonGames,
  seasonScores,
  teamStats,
  teamsOf,
} from '../calls.ts'
import type { Page } from '../recipe.ts'
import type { Subjects } from '../subjects.ts'

const team = (fields: (about: Subjects) => string) => (about: Subjects) =>
  `{ league { team(id: "${about.team}") { ${fields(about)} } } }`

const at = ({ season }: Subjects) => `(season: ${season})`

const name = 'teamId name char6 primaryColor secondaryColor'
const state = 'gameId status startDatetime homeScore awayScore'
const record = 'games wins { value rank } losses { value } points { value rank } streak { value }'

/** A team and its season. */
export const teamPages: readonly Page[] = [
  {
    name: 'team: name, colours and statistics',
    query: team((about) => `${name} stats${at(about)} { ${record} }`),
    cheapest: [(ask, about) => ask(read('team', about.team), teamStats(about))],
  },
  {
    name: 'team: statistics of a day',
    query: team((about) => `stats(season: ${about.season}, date: "${about.day}") { dateOfRank ${record} }`),
    cheapest: [
      (ask, about) =>
        ask([
          'statistic_ranking/getStats',
          {
            organization_id: about.organization_id,
            division_id: about.division_id,
            season: about.season,
            team_id: about.team,
            date_of_rank: about.day,
          },
        ]),
    ],
  },
  {
    name: 'two teams compared',
    query: (about) =>
      `{ teams(ids: ${JSON.stringify(about.teams)}) { ${name} stats${at(about)} { ${record} } elo${at(about)} { elo } } }`,
    cheapest: [
      (ask, about) =>
        ask(
          read('team', about.teams),
          currentElo(about, about.teams),
          ...about.teams.map((one) => teamStats(about, one)),
        ),
    ],
  },
  {
    name: 'roster: names and numbers',
    query: team(
      (about) => `roster${at(about)} { playerId firstName lastName number position height weight }`,
    ),
    cheapest: [(ask, about) => ask(roster(about, about.team))],
  },
  {
    name: 'roster with colleges',
    query: team((about) => `roster${at(about)} { playerId firstName lastName college draftYear }`),
    cheapest: [
      async (ask, about) => {
        const [players] = await ask(roster(about, about.team))
        await ask(read('player', Object.keys(players)))
      },
    ],
  },
  {
    name: 'roster with statistics',
    query: team(
      (about) =>
        `roster${at(about)} { playerId firstName lastName stats { games pointsPerGame { value rank } } }`,
    ),
    cheapest: [
      async (ask, about) => {
        const [players] = await ask(roster(about, about.team))
        await ask(...Object.keys(players).map((player) => playerStats(about, player)))
      },
    ],
  },
  {
    name: 'season: results',
    query: team((about) => `games${at(about)} { gameId homeScore awayScore status }`),
    // Scores belong to one league and leave out games in another.
    cheapest: [(ask, about) => ask(...seasonGames(about))],
  },
  {
    name: 'season: schedule with opponents',
    query: team((about) => `games${at(about)} { ${state} homeTeam { ${name} } awayTeam { ${name} } }`),
    cheapest: [
      async (ask, about) => {
        const games = await ask(...seasonGames(about))
        await ask(read('team', teamsOf(...games)))
      },
    ],
  },
  {
    name: 'season: predictions and lines',
    query: team(
      (about) =>
        `games${at(about)} { gameId homeScore awayScore prediction { homePercentage } odds { pre { spreadHome over } } }`,
    ),
    cheapest: [(ask, about) => ask(...seasonScores(about))],
  },
  {
    name: 'season: schedule with opponents and lines',
    query: team(
      (about) =>
        `games${at(about)} { ${state} homeTeam { name } awayTeam { name } odds { pre { spreadHome over } } }`,
    ),
    cheapest: [
      async (ask, about) => {
        const games = await ask(...seasonGames(about), ...seasonScores(about))
        await ask(read('team', teamsOf(...games)))
      },
    ],
  },
  {
    name: 'Elo through the season',
    query: team((about) => `eloHistory${at(about)} { elo dateOfEntry }`),
    cheapest: [(ask, about) => ask(eloHistory(about))],
  },
  {
    name: 'a season of boxscores',
    query: team((about) => `boxscores${at(about)} { gameId points }`),
    cheapest: [
      (ask, about) =>
        ask([
          'boxscore/readBoxscore',
          { organization_id: about.organization_id, team_id: about.team, season: about.season },
        ]),
    ],
  },
  {
    name: 'the whole team page',
    query: team(
      (about) => `${name} altName conference { conferenceId name } stats${at(about)} { dateOfRank ${record} }
      roster${at(about)} { playerId firstName lastName number position } eloHistory${at(about)} { elo dateOfEntry }
      games${at(about)} { ${state} homeTeam { ${name} } awayTeam { ${name} } }`,
    ),
    cheapest: [wholeTeam],
  },
  {
    name: 'a team without its conference: all else of its page',
    query: team(
      (about) => `${name} altName stats${at(about)} { dateOfRank ${record} }
      roster${at(about)} { playerId firstName lastName number position } eloHistory${at(about)} { elo dateOfEntry }
      games${at(about)} { ${state} homeTeam { ${name} } awayTeam { ${name} } }`,
    ),
    cheapest: [
      async (ask, about) => {
        const [home, away] = await ask(
          ...seasonGames(about),
          read('team', about.team),
          teamStats(about),
          roster(about, about.team),
          eloHistory(about),
        )
        const others = teamsOf(home, away ?? {}).filter((id) => id !== about.team)
        await ask(read('team', others))
      },
    ],
  },
]

/**
 * The conference comes with the games of a day on which the team played. No recipe can know which of its days
 * has the fewest games, so the day of its latest rating is used.
 */
async function wholeTeam(ask: Parameters<Page['cheapest'][0]>[0], about: Subjects): Promise<void> {
  const [home, away = {}, , , , ratings = {}] = await ask(
    ...seasonGames(about),
    read('team', about.team),
    teamStats(about),
    roster(about, about.team),
    eloHistory(about),
  )
  const current = rowsIn(ratings).find((row) => row['current'] === 1)
  const last = [...rowsIn(home), ...rowsIn(away)].find((row) => row['game_id'] === current?.['game_id'])
  const [day] = await ask(
    getGames(about, dayIn(last ?? {})),
    read(
      'team',
      teamsOf(home, away).filter((id) => id !== about.team),
    ),
  )
  const { teams } = day[keyIn(last ?? {}, 'game_id')] as { teams: Record<string, Record<string, unknown>> } // with its teams
  const conference = among({ team: teams[about.team] ?? {} }, 'conference_id')
  if (conference.length > 0) await ask(read('conference', conference))
}
