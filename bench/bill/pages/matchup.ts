import { rowsIn } from '../../json.ts'
import { dayIn, getScores, playerLines, read, readBoxscore, readOdds, teamsOf } from '../calls.ts'
import type { Page, Recipe } from '../recipe.ts'
import type { Subjects } from '../subjects.ts'

const game = (fields: string) => (about: Subjects) => `{ league { game(id: "${about.game}") { ${fields} } } }`

const games = (fields: string) => (about: Subjects) =>
  `{ games(ids: ${JSON.stringify(about.games)}) { ${fields} } }`

const name = 'teamId name char6 primaryColor secondaryColor'
const state = 'gameId status currentPeriod clock startDatetime homeScore awayScore'
const line = 'oddsId spreadHome over moneyLineHome moneyLineAway'

/** The games' rows, then the scores of their days. */
const rowsThenScores =
  (idsOf: (about: Subjects) => readonly string[]): Recipe =>
  async (ask, about) => {
    const [found] = await ask(read('game', idsOf(about)))
    await ask(...[...new Set(rowsIn(found).map(dayIn))].map((day) => getScores(about, day)))
  }

/** One game, and a few games by their ids. */
export const matchup: readonly Page[] = [
  {
    name: 'matchup: score and teams',
    query: game(`${state} homeTeam { ${name} } awayTeam { ${name} }`),
    cheapest: [
      async (ask, about) => {
        const [found] = await ask(read('game', about.game))
        await ask(read('team', teamsOf(found)))
      },
    ],
  },
  {
    name: 'matchup: prediction',
    query: game(`${state} prediction { homePercentage homeScore awayScore }`),
    cheapest: [
      async (ask, about) => {
        const [found] = await ask(read('game', about.game))
        for (const row of rowsIn(found)) await ask(getScores(about, dayIn(row)))
      },
    ],
  },
  {
    name: 'matchup: score and current line',
    query: game(`${state} odds { pre { ${line} } live { ${line} } }`),
    cheapest: [
      (ask, about) => ask(read('game', about.game), readOdds(about.game)),
      rowsThenScores(({ game: id }) => [id]),
    ],
  },
  {
    name: 'odds movement alone',
    query: game(`odds { history { ${line} dateOfEntry live current } }`),
    cheapest: [(ask, about) => ask(readOdds(about.game))],
  },
  {
    name: 'odds movement with the teams',
    query: game(
      `${state} homeTeam { ${name} } awayTeam { ${name} } odds { pre { ${line} } history { ${line} dateOfEntry live } }`,
    ),
    cheapest: [
      async (ask, about) => {
        const [found] = await ask(read('game', about.game), readOdds(about.game))
        await ask(read('team', teamsOf(found)))
      },
    ],
  },
  {
    name: 'both teams’ boxscores',
    query: game(`${state} boxscores { teamId points }`),
    cheapest: [(ask, about) => ask(read('game', about.game), readBoxscore(about, about.game))],
  },
  {
    name: 'both teams’ player lines',
    query: game(`${state} playerBoxscores { playerId teamId firstName lastName minutesPlayed points }`),
    cheapest: [(ask, about) => ask(read('game', about.game), playerLines(about.game))],
  },
  {
    name: 'the home team’s player lines',
    query: game(`${state} playerBoxscores(side: HOME) { playerId firstName lastName points }`),
    cheapest: [
      async (ask, about) => {
        await ask(read('game', about.game))
        await ask(['player_boxscore/read', { game_id: about.game, team_id: about.team }])
      },
    ],
  },
  {
    name: 'the whole matchup page',
    query: game(
      `${state} network attendance neutralSite hasBoxscore homeTeam { ${name} } awayTeam { ${name} }
      prediction { homePercentage homeScore awayScore } odds { pre { ${line} } live { ${line} } }
      boxscores { teamId points } playerBoxscores { playerId teamId firstName lastName points }`,
    ),
    cheapest: [
      async (ask, about) => {
        const [found] = await ask(
          read('game', about.game),
          readBoxscore(about, about.game),
          playerLines(about.game),
        )
        const [row = {}] = rowsIn(found)
        await ask(read('team', teamsOf(found)), getScores(about, dayIn(row)))
      },
    ],
  },
  {
    name: 'five followed games: scores and teams',
    query: games(`${state} homeTeam { ${name} } awayTeam { ${name} }`),
    cheapest: [
      async (ask, about) => {
        const [found] = await ask(read('game', about.games))
        await ask(read('team', teamsOf(found)))
      },
    ],
  },
  {
    name: 'five followed games: scores and current lines',
    query: games(`${state} odds { pre { ${line} } }`),
    cheapest: [
      (ask, about) => ask(read('game', about.games), readOdds(about.games)),
      rowsThenScores(({ games: ids }) => ids),
    ],
  },
  {
    name: 'ten games of a day: current lines',
    query: (about) =>
      about.dayGames.length < 10 || about.movements < 10
        ? null
        : `{ games(ids: ${JSON.stringify(about.dayGames.slice(0, 10))}) { gameId odds { pre { ${line} } live { ${line} } } } }`,
    cheapest: [
      (ask, about) => ask(readOdds(about.dayGames.slice(0, 10))),
      rowsThenScores(({ dayGames }) => dayGames.slice(0, 10)),
    ],
  },
  {
    name: 'five followed games: both boxscores',
    query: games('gameId boxscores { teamId points }'),
    cheapest: [(ask, about) => ask(readBoxscore(about, about.games))],
  },
]
