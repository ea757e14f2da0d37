import { among, careerStats, gameLog, playerStats, read, seasonsOf } from '../calls.ts'
import type { Page } from '../recipe.ts'
import type { Subjects } from '../subjects.ts'

const player = (fields: (about: Subjects) => string) => (about: Subjects) =>
  `{ league { player(id: "${about.player}") { ${fields(about)} } } }`

const at = ({ season }: Subjects) => `(season: ${season})`

const person = 'playerId firstName lastName position number height weight hometown'
const averages = 'games pointsPerGame { value rank } totalReboundsPerGame { value rank }'
const log = (about: Subjects) =>
  `gameLog${at(about)} { points minutesPlayed game { startDate homeScore awayScore homeTeam { name } awayTeam { name } } }`

/** A player. */
export const playerPages: readonly Page[] = [
  {
    name: 'player: name and seasons with teams',
    query: player(() => `${person} college seasons { season team { teamId name primaryColor } }`),
    cheapest: [
      async (ask, about) => {
        const [, seasons = {}] = await ask(read('player', about.player), seasonsOf(about))
        await ask(read('team', among(seasons, 'team_id')))
      },
    ],
  },
  {
    name: 'player: season and career',
    query: player((about) => `${person} stats${at(about)} { ${averages} } careerStats { ${averages} }`),
    cheapest: [(ask, about) => ask(read('player', about.player), playerStats(about), careerStats(about))],
  },
  {
    name: 'player: game log with opponents',
    query: player(log),
    cheapest: [(ask, about) => ask(gameLog(about))],
  },
  {
    name: 'the whole player page',
    query: player(
      (about) =>
        `${person} seasons { season team { teamId name } } stats${at(about)} { ${averages} } ${log(about)}`,
    ),
    cheapest: [
      async (ask, about) => {
        const [, log = {}, seasons = {}] = await ask(
          read('player', about.player),
          gameLog(about),
          seasonsOf(about),
          playerStats(about),
        )
        const known = new Set(
          Object.values(log).flatMap((line) => Object.keys((line as { game: { teams: object } }).game.teams)), // a line has its game
        )
        const unknown = among(seasons, 'team_id').filter((team) => !known.has(team))
        if (unknown.length > 0) await ask(read('team', unknown))
      },
    ],
  },
  {
    name: 'two players compared',
    query: (about) =>
      `{ league { a: player(id: "${about.players[0]}") { ${person} stats${at(about)} { ${averages} } }
      b: player(id: "${about.players[1]}") { ${person} stats${at(about)} { ${averages} } } } }`,
    cheapest: [
      (ask, about) =>
        ask(read('player', about.players), ...about.players.map((one) => playerStats(about, one))),
    ],
  },
]
