import type { LeagueIds } from '../bill/subjects.ts'
import type { Asked } from '../bill/recipe.ts'
import type { Life, Need, Part, Supplier } from './minimum.ts'
import type { Schedule, ScheduledGame } from './schedule.ts'

/** What the day's queries are about, each list with the most popular first. */
export interface Site {
  readonly league: LeagueIds
  readonly season: number
  readonly today: string
  readonly schedule: Schedule
  readonly pastDays: readonly string[]
  readonly nextDays: readonly string[]
  readonly games: readonly ScheduledGame[]
  readonly teams: readonly string[]
  readonly players: readonly Player[]
  readonly conferences: readonly string[]
  readonly names: readonly string[]
}

export interface Player {
  readonly id: string
  readonly team: string
}

/** Draws one of a list, the first the most often. */
export type Draw = <T>(list: readonly T[]) => T

/** A query, and what it shows. */
export interface Visit {
  readonly query: string
  readonly need: Need
}

/** A kind of query that pages of a site make. */
export interface Kind {
  readonly name: string
  readonly visit: (site: Site, draw: Draw) => Visit
}

const part = (name: string, life: Life): Part => ({ name, life })
const ofGame = (what: string) => (game: ScheduledGame) => part(`${what} ${game.id}`, { game: game.id })
const [score, row, odds, moves, prediction] = ['score', 'row', 'odds', 'moves', 'prediction'].map(ofGame) as [
  ReturnType<typeof ofGame>,
  ReturnType<typeof ofGame>,
  ReturnType<typeof ofGame>,
  ReturnType<typeof ofGame>,
  ReturnType<typeof ofGame>,
] // as many as there are names
const list = (day: string) => part(`list ${day}`, { day })
const teamRow = (id: string) => part(`team ${id}`, 'reference')
const stats = (id: string) => part(`stats ${id}`, 'current')
const rating = (id: string) => part(`elo ${id}`, 'current')
const teamsOf = (games: readonly ScheduledGame[]) => [
  ...new Set(games.flatMap(({ home, away }) => [home, away])),
]

/**
 * Calls that bring whatever has aged of games and teams: of a day, of several games by their ids, of teams by
 * theirs.
 */
function gameSuppliers(site: Site, games: readonly ScheduledGame[], teams: readonly string[]) {
  return (aged: ReadonlySet<string>): readonly Supplier[] => {
    const days = [...new Set(games.map(({ day }) => day))].flatMap((day) => daySuppliers(site, day))
    const lacks = (...parts: ((game: ScheduledGame) => Part)[]) =>
      games.filter((game) => parts.some((of) => aged.has(of(game).name)))
    const lost = teams.filter((id) => aged.has(teamRow(id).name))
    return [
      ...(days.length <= 2 ? days : []),
      ...byIds('game/read', 'game_id', lacks(score, row), (game) => [score(game), row(game)]),
      ...byIds('odds/read', 'game_id', lacks(odds, moves), (game) => [odds(game), moves(game)]),
      ...(lost.length > 0
        ? [{ calls: [['team/read', { team_id: lost }] as const], brings: lost.map(teamRow) }]
        : []),
    ]
  }
}

function byIds(
  operation: string,
  column: string,
  games: readonly ScheduledGame[],
  brings: (game: ScheduledGame) => readonly Part[],
): readonly Supplier[] {
  if (games.length === 0) return []
  return [{ calls: [[operation, { [column]: games.map(({ id }) => id) }]], brings: games.flatMap(brings) }]
}

function daySuppliers({ league, schedule }: Site, day: string): readonly Supplier[] {
  const games = schedule.on(day)
  const at = { ...league, start_date: day }
  return [
    {
      calls: [['game/getScores', at]],
      brings: [list(day), ...games.flatMap((game) => [score(game), odds(game), prediction(game)])],
    },
    {
      calls: [['game/getGames', at]],
      brings: [
        list(day),
        ...games.flatMap((game) => [score(game), row(game)]),
        ...teamsOf(games).map(teamRow),
      ],
    },
  ]
}

type DayPart = (game: ScheduledGame) => readonly Part[]

const names = (game: ScheduledGame) => [row(game), teamRow(game.home), teamRow(game.away)]

/** A day's games, with parts of each. */
const ofDay = (
  name: string,
  fields: string,
  partsOf: DayPart,
  days: (site: Site) => readonly string[],
): Kind => ({
  name,
  visit(site, draw) {
    const day = draw(days(site))
    const games = site.schedule.on(day)
    return {
      query: `{ league { games(date: "${day}") { ${fields} } } }`,
      need: {
        parts: [list(day), ...games.flatMap(partsOf)],
        suppliers: gameSuppliers(site, games, teamsOf(games)),
      },
    }
  },
})

/** One game by its id. */
const ofOne = (
  name: string,
  fields: string,
  partsOf: DayPart,
  more?: (game: ScheduledGame, site: Site) => Supplier,
): Kind => ({
  name,
  visit(site, draw) {
    const game = draw(site.games)
    const suppliers = gameSuppliers(site, [game], [game.home, game.away])
    return {
      query: `{ league { game(id: "${game.id}") { ${fields} } } }`,
      need: {
        parts: partsOf(game),
        suppliers: (aged) => [...suppliers(aged), ...(more ? [more(game, site)] : [])],
      },
    }
  },
})

/** Something that one call alone brings. */
function alone(query: string, asked: Asked, brings: Part, others: readonly Part[] = []): Visit {
  return {
    query,
    need: { parts: [brings], suppliers: () => [{ calls: [asked], brings: [brings, ...others] }] },
  }
}

const state = 'gameId status currentPeriod clock startDatetime homeScore awayScore'
const name = 'teamId name char6 primaryColor'
const line = 'spreadHome over moneyLineHome'
const scores = 'gameId homeScore awayScore clock currentPeriod status'
const inTeam = (id: string, fields: string) => `{ league { team(id: "${id}") { ${fields} } } }`
const inPlayer = (id: string, fields: string) => `{ league { player(id: "${id}") { ${fields} } } }`
const todays = ({ today }: Site) => [today]
const past = ({ pastDays }: Site) => pastDays
const next = ({ nextDays }: Site) => nextDays

const days: readonly Kind[] = [
  ofDay('today: scores', scores, (game) => [score(game)], todays),
  ofDay(
    'today: scores, predictions and lines',
    `${scores} prediction { homePercentage } odds { pre { ${line} } live { ${line} } }`,
    (game) => [score(game), prediction(game), odds(game)],
    todays,
  ),
  ofDay(
    'today: scores and teams',
    `${scores} homeTeam { ${name} } awayTeam { ${name} }`,
    (game) => [score(game), ...names(game)],
    todays,
  ),
  ofDay(
    'today: teams, scores and lines',
    `${scores} startDatetime homeTeam { ${name} } awayTeam { ${name} } odds { pre { ${line} } live { ${line} } }`,
    (game) => [score(game), odds(game), ...names(game)],
    todays,
  ),
  ofDay('today: listings', 'gameId startDatetime network attendance', (game) => [row(game)], todays),
  ofDay(
    'a past day: scores and teams',
    `${scores} homeTeam { ${name} } awayTeam { ${name} }`,
    (game) => [score(game), ...names(game)],
    past,
  ),
  ofDay('a past day: last lines', `gameId odds { pre { ${line} } }`, (game) => [odds(game)], past),
  ofDay(
    'a day to come: teams',
    `gameId startDatetime homeTeam { ${name} } awayTeam { ${name} }`,
    names,
    next,
  ),
  ofDay(
    'a day to come: predictions',
    'gameId prediction { homePercentage }',
    (game) => [prediction(game)],
    next,
  ),
]

const games: readonly Kind[] = [
  ofOne('a game: score and teams', `${state} homeTeam { ${name} } awayTeam { ${name} }`, (game) => [
    score(game),
    ...names(game),
  ]),
  ofOne('a game: score and line', `${state} odds { pre { ${line} } live { ${line} } }`, (game) => [
    score(game),
    row(game),
    odds(game),
  ]),
  ofOne('a game: movement of its line', `odds { history { ${line} dateOfEntry } }`, (game) => [moves(game)]),
  ofOne('a game: prediction', `${state} prediction { homePercentage }`, (game) => [
    score(game),
    row(game),
    prediction(game),
  ]),
  ofOne(
    'a game: both boxscores',
    `${state} boxscores { teamId points }`,
    (game) => [score(game), row(game), ofGame('boxscores')(game)],
    (game, { league: { organization_id } }) => ({
      calls: [['boxscore/readBoxscore', { organization_id, game_id: game.id }]],
      brings: [ofGame('boxscores')(game)],
    }),
  ),
  ofOne(
    'a game: players’ lines',
    `${state} playerBoxscores { playerId firstName lastName points }`,
    (game) => [score(game), row(game), ofGame('players')(game)],
    (game) => ({
      calls: [['player_boxscore/read', { game_id: game.id }]],
      brings: [ofGame('players')(game)],
    }),
  ),
]

const teams: readonly Kind[] = [
  {
    name: 'a team: names and colours',
    visit({ teams: all }, draw) {
      const id = draw(all)
      return alone(inTeam(id, `${name} altName`), ['team/read', { team_id: id }], teamRow(id))
    },
  },
  {
    name: 'a team: statistics',
    visit({ league, season, teams: all }, draw) {
      const id = draw(all)
      const asked: Asked = ['team/getStats', { ...league, team_id: id, season }]
      return alone(
        inTeam(id, `stats(season: ${season}) { games wins { value rank } points { value rank } }`),
        asked,
        stats(id),
      )
    },
  },
  {
    name: 'a team: roster',
    visit({ league: { organization_id }, season, teams: all }, draw) {
      const id = draw(all)
      const asked: Asked = ['team/getPlayers', { organization_id, team_id: id, season }]
      const query = inTeam(id, `roster(season: ${season}) { playerId firstName lastName number position }`)
      return alone(query, asked, part(`roster ${id}`, 'current'))
    },
  },
  {
    name: 'a team: results of the season',
    visit(site, draw) {
      const id = draw(site.teams)
      const { season, schedule } = site
      const own = [...schedule.games.values()].filter(
        (game) => game.season === season && (game.home === id || game.away === id),
      )
      const whole = part(`season ${id}`, 'current')
      const suppliers = gameSuppliers(site, own, teamsOf(own))
      return {
        query: inTeam(
          id,
          `games(season: ${season}) { gameId status startDatetime homeScore awayScore homeTeam { ${name} } awayTeam { ${name} } }`,
        ),
        need: {
          parts: [whole, ...own.flatMap((game) => [score(game), ...names(game)])],
          suppliers: (aged) => [
            ...suppliers(aged),
            {
              calls: ['home_team_id', 'away_team_id'].map(
                (side) => ['game/read', { season, [side]: id }] as const,
              ),
              brings: [whole, ...own.flatMap((game) => [score(game), row(game)])],
            },
          ],
        },
      }
    },
  },
  {
    name: 'a team: rating',
    visit({ league, season, teams: all }, draw) {
      const id = draw(all)
      const asked: Asked = ['elo/read', { ...league, season, current: 1, team_id: id }]
      return alone(inTeam(id, `elo(season: ${season}) { elo }`), asked, rating(id))
    },
  },
  {
    name: 'a team: ratings of the season',
    visit({ league, season, teams: all }, draw) {
      const id = draw(all)
      const asked: Asked = ['elo/read', { ...league, season, team_id: id }]
      const query = inTeam(id, `eloHistory(season: ${season}) { elo dateOfEntry }`)
      return alone(query, asked, part(`elos ${id}`, 'current'), [rating(id)])
    },
  },
]

const players: readonly Kind[] = [
  {
    name: 'a player: person',
    visit({ players: all }, draw) {
      const { id } = draw(all)
      const asked: Asked = ['player/read', { player_id: id }]
      return alone(
        inPlayer(id, 'firstName lastName position college'),
        asked,
        part(`player ${id}`, 'reference'),
      )
    },
  },
  {
    name: 'a player: seasons',
    visit({ players: all }, draw) {
      const { id } = draw(all)
      const asked: Asked = ['player/getSeasons', { player_id: id }]
      return alone(inPlayer(id, 'seasons { season teamId }'), asked, part(`seasons ${id}`, 'current'))
    },
  },
  {
    name: 'a player: statistics',
    visit({ league, season, players: all }, draw) {
      const { id } = draw(all)
      const asked: Asked = [
        'player_statistic_ranking/getStats',
        { ...league, season, player_id: id, current: 1 },
      ]
      const query = inPlayer(id, `stats(season: ${season}) { games pointsPerGame { value rank } }`)
      return alone(query, asked, part(`player stats ${id}`, 'current'))
    },
  },
]

const leagues: readonly Kind[] = [
  {
    name: 'the league: every rating',
    visit: ({ league, season, teams: all }) =>
      alone(
        `{ league { elo(season: ${season}) { teamId elo } } }`,
        ['elo/read', { ...league, season, current: 1 }],
        part('every elo', 'current'),
        all.map(rating),
      ),
  },
  {
    name: 'the league: teams by points',
    visit: ({ league, season, teams: all }) =>
      alone(
        `{ league { ranking(subject: TEAM, season: ${season}, orderBy: "points", first: 25) { edges { node { ... on TeamStatRanking { teamId points { value rank } } } } } } }`,
        ['ranking/download', { ...league, season, type: 'team' }],
        part('ranking', 'current'),
        all.map(stats),
      ),
  },
  {
    name: 'the league: averages',
    visit: ({ league, season }) =>
      alone(
        `{ league { averages(season: ${season}) { stat(name: "points") { value } } } }`,
        ['league_statistic_ranking/getStats', { ...league, season, current: 1 }],
        part('averages', 'current'),
      ),
  },
  {
    name: 'a conference: projection',
    visit({ league: { organization_id }, season, conferences }, draw) {
      const id = draw(conferences)
      return alone(
        `{ conference(id: "${id}") { projection(season: ${season}) { standings { teamId confwins { value } } } } }`,
        ['conference/getConferencePrediction', { organization_id, conference_id: id, season }],
        part(`projection ${id}`, 'current'),
      )
    },
  },
  {
    name: 'a search: teams',
    visit({ league, names: all }, draw) {
      const typed = draw(all)
      return alone(
        `{ league { search(name: "${typed}") { teams { teamId name } } } }`,
        ['search/search', { ...league, name: typed, team: 1 }],
        part(`search ${typed}`, 'current'),
      )
    },
  },
  {
    name: 'the menu: organizations and divisions',
    visit: () => ({
      query: '{ organizations { organizationId name } divisions { divisionId name } }',
      need: {
        parts: [part('menu', 'reference')],
        suppliers: () => [
          {
            calls: [
              ['organization/read', { inactive: 0 }],
              ['division/read', { inactive: 0 }],
            ],
            brings: [part('menu', 'reference')],
          },
        ],
      },
    }),
  },
]

/** Thirty kinds of queries, the most frequent first. */
export function kinds(): readonly Kind[] {
  const groups = [days, games, teams, leagues, players]
  const most = Math.max(...groups.map(({ length }) => length))
  return Array.from({ length: most }, (_, nth) => groups.flatMap((group) => group[nth] ?? [])).flat()
}
