import type { Arguments } from '../../src/specification/operation.ts'
import type { Json } from '../json.ts'
import { keyIn, rowsIn } from '../json.ts'
import { find, thing, things } from './thing.ts'
import type { Layer, Place, Thing } from './thing.ts'

/** The types of a field's arguments. */
export interface Given {
  readonly id: string
  readonly ids: readonly string[]
  readonly date?: string
  readonly season?: number
  readonly current?: boolean
  readonly active?: boolean
  readonly teamId?: string
  readonly side?: 'HOME' | 'AWAY'
  readonly name: string
  readonly names: readonly string[]
  readonly subject: string
  readonly orderBy: string
  readonly first?: number
}

export type Resolver<P> = (parent: P, given: Given, layer: Layer) => unknown
type Resolvers<P> = Readonly<Record<string, Resolver<P>>>

const ofLeague = ({ organization_id, division_id }: Place) => ({ organization_id, division_id })
const seasonOf = (given: Given, place: Place) => given.season ?? place.season ?? 0

const byStart = (games: readonly Thing[]) =>
  games.toSorted((a, b) => Number(a.row['start_timestamp']) - Number(b.row['start_timestamp']))
const byEntry = (rows: readonly Json[]) =>
  rows.toSorted((a, b) => (keyIn(a, 'date_of_entry') < keyIn(b, 'date_of_entry') ? -1 : 1))

/** The only row of an answer. */
const single = (table: Thing['table'], row: Json, place: Place) =>
  Object.keys(row).length === 0 ? null : thing(table, row, place)

async function statistics(
  { table, place }: { table: Thing['table']; place: Place },
  identity: Arguments,
  given: Given,
  { asking }: Layer,
) {
  const when: Arguments = given.date ? { date_of_rank: given.date } : { current: 1 }
  const season = seasonOf(given, place)
  const row = await asking.once(`${table}/getStats`, { ...ofLeague(place), season, ...identity, ...when })
  return single(table, row, { ...place, season })
}

export const queries: Resolvers<unknown> = {
  league: (_root, _given, { place }) => place,
  organizations: async (_root, _given, { asking, place }) =>
    things('organization', rowsIn(await asking.once('organization/read', { inactive: 0 })), place),
  divisions: async (_root, _given, { asking, place }) =>
    things('division', rowsIn(await asking.once('division/read', { inactive: 0 })), place),
  ...Object.fromEntries(
    (['game', 'team', 'player', 'coach', 'conference'] as const).flatMap((table) => [
      [table, (_root: unknown, { id }: Given, layer: Layer) => find(table, id, layer.place, layer)],
      [
        `${table}s`,
        (_root: unknown, { ids }: Given, layer: Layer) =>
          ids.map((id) => find(table, id, layer.place, layer)),
      ],
    ]),
  ),
}

const subjects: Readonly<Record<string, Thing['table']>> = {
  TEAM: 'statistic_ranking',
  PLAYER: 'player_statistic_ranking',
  COACH: 'coach_statistic_ranking',
  CONFERENCE: 'conference_statistic_ranking',
}

async function ranking(place: Place, given: Given, { asking }: Layer) {
  const { subject, orderBy, first = 100 } = given
  const values = { ...ofLeague(place), season: seasonOf(given, place), type: subject.toLowerCase() }
  const rows = rowsIn(await asking.once('ranking/download', values))
  const rank = (row: Json) => Number(row[`${orderBy}_rank`] ?? Number.POSITIVE_INFINITY)
  const best = rows.toSorted((a, b) => rank(a) - rank(b)).slice(0, first)
  const table = subjects[subject] ?? 'statistic_ranking'
  return { totalCount: rows.length, edges: best.map((row) => ({ node: thing(table, row, place) })) }
}

export const league: Resolvers<Place> = {
  organization: (place, _given, layer) => find('organization', place.organization_id, place, layer),
  division: (place, _given, layer) => find('division', place.division_id, place, layer),
  game: (place, { id }, layer) => find('game', id, place, layer),
  team: (place, { id }, layer) => find('team', id, place, layer),
  player: (place, { id }, layer) => find('player', id, place, layer),
  games: async (place, { date = '' }, { asking }) =>
    byStart(
      things(
        'game',
        rowsIn(await asking.once('game/getGames', { ...ofLeague(place), start_date: date })),
        place,
      ),
    ),
  search: (place, { name }, { asking }) => asking.once('search/search', { name, ...ofLeague(place) }),
  elo: async (place, given, { asking }) => {
    const only: Arguments = given.current === false ? {} : { current: 1 }
    const season = seasonOf(given, place)
    const rows = rowsIn(await asking.once('elo/read', { ...ofLeague(place), season, ...only }))
    return things('elo', byEntry(rows), place)
  },
  averages: (place, given, layer) =>
    statistics({ table: 'league_statistic_ranking', place }, {}, given, layer),
  playerAverages: (place, given, layer) =>
    statistics({ table: 'league_player_statistic_ranking', place }, {}, given, layer),
  transfers: async (place, given, { asking }) => {
    const season = seasonOf(given, place)
    const rows = rowsIn(await asking.once('cbb_transfer_player_season/read', { season }))
    return things('cbb_transfer_player_season', rows, place)
  },
  ranking,
}

const scoresOf = async ({ key, row, place }: Thing, { asking }: Layer) => {
  const start_date = keyIn(row, 'start_date').slice(0, 10)
  const scores = await asking.once('game/getScores', { ...ofLeague(place), start_date })
  return scores[key] as { prediction?: Json | null } | undefined // keyed by game: a score entry
}

const sideKey = (side: Given['side']) => (side === 'HOME' ? 'home_team_id' : 'away_team_id')

async function boxscoresOf({ key, row, place }: Thing, { asking }: Layer) {
  const { organization_id } = place
  const rows = await asking.by('boxscore/readBoxscore', 'game_id', key, { organization_id })
  const away = row['away_team_id']
  const isAway = (box: Json) => Number(box['team_id'] === away)
  return things(
    'boxscore',
    rows.toSorted((a, b) => isAway(b) - isAway(a)),
    place,
  )
}

async function playersOf({ key, row, place }: Thing, { side }: Given, { asking }: Layer) {
  const rows = await asking.by('player_boxscore/read', 'game_id', key)
  const own = side ? rows.filter((line) => line['team_id'] === row[sideKey(side)]) : rows
  return things('player_boxscore', own, place)
}

const game: Resolvers<Thing> = {
  prediction: async (parent, _given, layer) => {
    const prediction = (await scoresOf(parent, layer))?.prediction
    return prediction ? thing('prediction', prediction, parent.place) : null
  },
  odds: (parent) => parent,
  boxscores: (parent, _given, layer) => boxscoresOf(parent, layer),
  boxscore: async (parent, { side }, layer) =>
    (await boxscoresOf(parent, layer)).find(({ row }) => row['team_id'] === parent.row[sideKey(side)]) ??
    null,
  playerBoxscores: playersOf,
}

const linesOf = async ({ key, place }: Thing, { asking }: Layer) =>
  things('odds', byEntry(await asking.by('odds/read', 'game_id', key)), place)

const currentLine = async (parent: Thing, live: 0 | 1, layer: Layer) =>
  (await linesOf(parent, layer)).findLast(({ row }) => row['current'] === 1 && row['live'] === live) ?? null

const gameOdds: Resolvers<Thing> = {
  pre: (parent, _given, layer) => currentLine(parent, 0, layer),
  live: (parent, _given, layer) => currentLine(parent, 1, layer),
  history: (parent, _given, layer) => linesOf(parent, layer),
}

async function eloOf(current: boolean, { key, place }: Thing, given: Given, { asking }: Layer) {
  const values = { ...ofLeague(place), season: seasonOf(given, place), ...(current && { current: 1 }) }
  return things('elo', byEntry(await asking.by('elo/read', 'team_id', key, values)), place)
}

/** A team's conference is only in the games of a day: any day on which it plays at home. */
async function conferenceOf({ key, row, place }: Thing, layer: Layer): Promise<string | null> {
  if (typeof row['conference_id'] === 'string') return row['conference_id']
  const { asking } = layer
  const [match] = rowsIn(await asking.once('game/read', { season: place.season ?? 0, home_team_id: key }))
  if (!match) return null
  const start_date = keyIn(match, 'start_date').slice(0, 10)
  const day = await asking.once('game/getGames', { ...ofLeague(place), start_date })
  const { teams } = day[keyIn(match, 'game_id')] as { teams: Record<string, Json> } // a game with its teams
  return String(teams[key]?.['conference_id'])
}

const team: Resolvers<Thing> = {
  stats: ({ key, place }, given, layer) =>
    statistics({ table: 'statistic_ranking', place }, { team_id: key }, given, layer),
  roster: async ({ key, place }, given, { asking }) => {
    const { organization_id } = place
    const season = seasonOf(given, place)
    const rows = rowsIn(await asking.once('team/getPlayers', { organization_id, team_id: key, season }))
    return things('player', rows, { ...place, season })
  },
  games: async ({ key, place }, given, { asking }) => {
    const season = seasonOf(given, place)
    const [home, away] = await Promise.all([
      asking.once('game/read', { season, home_team_id: key }),
      asking.once('game/read', { season, away_team_id: key }),
    ])
    return byStart(things('game', [...rowsIn(home), ...rowsIn(away)], place))
  },
  elo: async (parent, given, layer) => (await eloOf(true, parent, given, layer)).at(-1) ?? null,
  eloHistory: (parent, given, layer) => eloOf(false, parent, given, layer),
  boxscores: async ({ key, place }, given, { asking }) => {
    const values = { organization_id: place.organization_id, season: seasonOf(given, place) }
    return things('boxscore', await asking.by('boxscore/readBoxscore', 'team_id', key, values), place)
  },
  conferenceId: (parent, _given, layer) => conferenceOf(parent, layer),
  conference: async (parent, _given, layer) => {
    const id = await conferenceOf(parent, layer)
    return id === null ? null : find('conference', id, parent.place, layer)
  },
}

const player: Resolvers<Thing> = {
  seasons: async ({ key, place }, _given, { asking }) =>
    things('player_team_season', rowsIn(await asking.once('player/getSeasons', { player_id: key })), place),
  gameLog: async ({ key, place }, given, { asking }) => {
    const values = { ...ofLeague(place), player_id: key, season: seasonOf(given, place) }
    const rows = rowsIn(await asking.once('player/getGameLogs', values))
    // A resolver for each field finds the game by its key.
    return things('player_boxscore', rows, place)
  },
  stats: ({ key, place }, given, layer) =>
    statistics(
      { table: 'player_statistic_ranking', place },
      { player_id: key, ...(given.teamId && { team_id: given.teamId }) },
      given,
      layer,
    ),
  careerStats: async ({ key, place }, _given, { asking }) => {
    const values = { organization_id: place.organization_id, player_id: key, career: 1 }
    const row = await asking.once('player_statistic_ranking/getStats', values)
    return single('player_statistic_ranking', row, place)
  },
  transfers: async ({ key, place }, given, { asking }) => {
    const values: Arguments = given.season === undefined ? {} : { season: given.season }
    const rows = await asking.by('cbb_transfer_player_season/read', 'player_id', key, values)
    return things('cbb_transfer_player_season', rows, place)
  },
}

const conference: Resolvers<Thing> = {
  stats: ({ key, place }, given, layer) =>
    statistics({ table: 'conference_statistic_ranking', place }, { conference_id: key }, given, layer),
  playerAverages: ({ key, place }, given, layer) =>
    statistics({ table: 'conference_player_statistic_ranking', place }, { conference_id: key }, given, layer),
  projection: async ({ key, place }, given, { asking }) => {
    const values = {
      organization_id: place.organization_id,
      conference_id: key,
      season: seasonOf(given, place),
    }
    const rows = rowsIn(await asking.once('conference/getConferencePrediction', values))
    const best = rows.toSorted(
      (a, b) => Number(b['confwins']) - Number(a['confwins']) || Number(b['wins']) - Number(a['wins']),
    )
    const standings = best.map((row) => thing('statistic_ranking', row, place))
    return { hasAccess: rows.every((row) => row['hasAccess'] === true), standings }
  },
}

const coach: Resolvers<Thing> = {
  stats: ({ key, place }, given, layer) =>
    statistics({ table: 'coach_statistic_ranking', place }, { coach_id: key }, given, layer),
}

/** The fields with a call of their own, by type. */
export const links: Readonly<Record<string, Resolvers<Thing>>> = {
  Game: game,
  GameOdds: gameOdds,
  Team: team,
  Player: player,
  Conference: conference,
  Coach: coach,
}

const placeOf = (_parent: unknown, _given: Given, { place }: Layer) => place
const matchOf = (table: 'player' | 'coach') => (row: Json, given: Given, layer: Layer) =>
  find(table, keyIn(row, `${table}_id`), placeOf(row, given, layer), layer)

export const search: Resolvers<Json> = {
  teams: (found, given, layer) =>
    found['teams'] && things('team', found['teams'] as Json[], placeOf(found, given, layer)), // a group of rows
}

export const matches: Readonly<Record<string, Resolvers<Json>>> = {
  PlayerMatch: { player: matchOf('player'), relevanceScore: (row) => row['relevance_score'] ?? null },
  CoachMatch: { coach: matchOf('coach'), relevanceScore: (row) => row['relevance_score'] ?? null },
}
