import { rowsIn } from '../../json.ts'
import {
  among,
  currentElo,
  getGames,
  getScores,
  read,
  readBoxscore,
  readOdds,
  roster,
  teamStats,
  teamsOf,
  withBoxscore,
} from '../calls.ts'
import type { Page, Recipe } from '../recipe.ts'
import type { Subjects } from '../subjects.ts'
import type { Json } from '../../json.ts'

const day = (fields: string) => (about: Subjects) =>
  `{ league { games(date: "${about.day}") { ${fields} } } }`

const week = (fields: string) => (about: Subjects) =>
  `{ league { ${about.week.map((one, nth) => `day${nth}: games(date: "${one}") { ${fields} }`).join(' ')} } }`

const line = 'oddsId spreadHome spreadAway over under moneyLineHome moneyLineAway'
const name = 'teamId name char6 primaryColor secondaryColor'

const conferencesOf = (games: Json) => [
  ...new Set(
    rowsIn(games).flatMap((game) =>
      Object.values(game['teams'] as Record<string, Json>).flatMap((team) =>
        // a game of getGames has its teams
        typeof team['conference_id'] === 'string' ? [team['conference_id']] : [],
      ),
    ),
  ),
]

/** The games of the day by either operation, then their odds. */
const movements =
  (list: typeof getScores): Recipe =>
  async (ask, about) => {
    const [games] = await ask(list(about))
    await ask(readOdds(among(games, 'game_id')))
  }

/** A league’s day and week. */
export const scoreboard: readonly Page[] = [
  {
    name: 'scoreboard: scores, clock and status',
    query: day('gameId homeScore awayScore clock currentPeriod status'),
    cheapest: [(ask, about) => ask(getScores(about)), (ask, about) => ask(getGames(about))],
  },
  {
    name: 'scoreboard: scores with predictions and lines',
    query: day(
      `gameId homeScore awayScore clock status prediction { homePercentage } odds { pre { ${line} } live { ${line} } }`,
    ),
    cheapest: [(ask, about) => ask(getScores(about))],
  },
  {
    name: 'scoreboard: teams and scores',
    query: day(
      `gameId homeScore awayScore clock currentPeriod status homeTeam { ${name} } awayTeam { ${name} }`,
    ),
    cheapest: [(ask, about) => ask(getGames(about))],
  },
  {
    name: 'scoreboard: teams, scores, predictions and lines',
    query: day(
      `gameId homeScore awayScore clock status startDatetime network homeTeam { ${name} } awayTeam { ${name} } prediction { homePercentage } odds { pre { ${line} } live { ${line} } }`,
    ),
    cheapest: [(ask, about) => ask(getGames(about), getScores(about))],
  },
  {
    name: 'ticker: scores and the teams’ keys',
    query: day('gameId homeScore awayScore status homeTeam { teamId } awayTeam { teamId }'),
    cheapest: [(ask, about) => ask(getGames(about))],
  },
  {
    name: 'listings: start, network, site and attendance',
    query: day('gameId startDatetime startDate network neutralSite attendance isConfGame'),
    cheapest: [(ask, about) => ask(getGames(about))],
  },
  {
    name: 'listings with lines: start, network and current lines',
    query: day(`gameId startDatetime network homeScore odds { pre { ${line} } }`),
    cheapest: [
      (ask, about) => ask(getGames(about), getScores(about)),
      async (ask, about) => {
        const [games] = await ask(getScores(about))
        await ask(read('game', among(games, 'game_id')))
      },
    ],
  },
  {
    name: 'forecast: the day’s predictions',
    query: day('gameId prediction { homePercentage awayPercentage homeScore awayScore }'),
    cheapest: [(ask, about) => ask(getScores(about))],
  },
  {
    name: 'live lines of the day',
    query: day(`gameId status clock odds { live { ${line} } }`),
    cheapest: [(ask, about) => ask(getScores(about))],
  },
  {
    name: 'scoreboard with conferences',
    query: day(
      'gameId homeScore homeTeam { name conference { name } } awayScore awayTeam { name conference { name } }',
    ),
    cheapest: [
      async (ask, about) => {
        const [games] = await ask(getGames(about))
        const conferences = conferencesOf(games)
        if (conferences.length > 0) await ask(read('conference', conferences))
      },
    ],
  },
  {
    name: 'the day’s games with both teams’ Elo',
    query: day('gameId homeTeam { name elo { elo } } awayTeam { name elo { elo } }'),
    cheapest: [
      async (ask, about) => {
        const [games] = await ask(getGames(about))
        await ask(currentElo(about, teamsOf(games)))
      },
    ],
  },
  {
    name: 'the day’s games with both teams’ statistics',
    query: day(
      'gameId homeTeam { name stats { points { value rank } wins { value } } } awayTeam { name stats { points { value rank } wins { value } } }',
    ),
    cheapest: [
      async (ask, about) => {
        const [games] = await ask(getGames(about))
        await ask(...teamsOf(games).map((team) => teamStats(about, team)))
      },
    ],
  },
  {
    name: 'the day’s games with rosters and statistics',
    query: day(
      'gameId homeTeam { name roster { playerId } stats { points { rank } } } awayTeam { name roster { playerId } stats { points { rank } } }',
    ),
    cheapest: [
      async (ask, about) => {
        const [games] = await ask(getGames(about))
        await ask(...teamsOf(games).flatMap((team) => [teamStats(about, team), roster(about, team)]))
      },
    ],
  },
  {
    name: 'every line movement of the day',
    query: day('gameId odds { history { dateOfEntry spreadHome over live } }'),
    cheapest: [movements(getScores), movements(getGames)],
  },
  {
    name: 'the day’s boxscores',
    query: day('gameId hasBoxscore homeTeam { name } awayTeam { name } boxscores { teamId points }'),
    cheapest: [
      async (ask, about) => {
        const [games] = await ask(getGames(about))
        const ids = withBoxscore(games)
        if (ids.length > 0) await ask(readBoxscore(about, ids))
      },
    ],
  },
  {
    name: 'a week of scores',
    query: week('gameId homeScore awayScore status'),
    cheapest: [
      (ask, about) => ask(...about.week.map((one) => getScores(about, one))),
      (ask, about) => ask(...about.week.map((one) => getGames(about, one))),
    ],
  },
  {
    name: 'a week of games with teams and lines',
    query: week(`gameId homeScore awayScore homeTeam { name } awayTeam { name } odds { pre { ${line} } }`),
    cheapest: [
      (ask, about) => ask(...about.week.flatMap((one) => [getGames(about, one), getScores(about, one)])),
    ],
  },
  {
    name: 'a week of games with both boxscores',
    query: week('gameId hasBoxscore homeTeam { name } awayTeam { name } boxscores { teamId points final }'),
    cheapest: [
      async (ask, about) => {
        const days = await ask(...about.week.map((one) => getGames(about, one)))
        const ids = withBoxscore(...days)
        if (ids.length > 0) await ask(readBoxscore(about, ids))
      },
    ],
  },
]
