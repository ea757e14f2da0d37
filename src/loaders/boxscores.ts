import { byGroup, Loader, requestsOf } from '../graph/loader.ts'
import type { Ask, Asks, Split, Splits, Wanted } from '../graph/loader.ts'
import type { Scope } from '../graph/scope.ts'
import { planBoxscores } from '../plan/boxscores.ts'
import type { BoxscoreCall } from '../plan/boxscores.ts'
import type { Freshness } from '../rows/freshness.ts'
import { slots } from '../rows/slot.ts'
import { call } from '../upstream/call.ts'
import type { Entry } from '../upstream/entry.ts'
import { AccessDeniedError } from '../upstream/errors.ts'
import { allDone } from '../upstream/groups.ts'
import { argumentsOf, operations } from '../specification/operations.ts'
import type { Arguments } from '../specification/operations.ts'
import { loadColumns } from '../graph/row-loader.ts'
import type { World } from '../upstream/world.ts'

type Keys = readonly string[]

/** Boxscores of a game: both teams', or one's; or of a team's season, where no game is named. */
interface BoxscoresWanted extends Wanted {
  readonly game: string | null
  readonly team: string | null
  readonly scope: Scope & { readonly organization_id: string }
  /** Whether the organization is the default one, because neither the game's row nor its scope names one. */
  readonly isAssumed: boolean
}

type Boxscores = Split<BoxscoresWanted, Keys>

/** The keys of a game's boxscores: of one team, or of both where none is named. */
export const gameBoxscores = slots<Keys, string | null>({
  name: 'boxscores',
  keyOf: (team) => team ?? 'both',
  // They age with the game. Numbers that are not final may change after its end.
  freshness(judge, _team, game, keys, boughtAt): Freshness {
    const isFinal = (key: string) =>
      Number(judge.rows.entry('boxscore', key).column('final', boughtAt - 1)) === 1
    const state = judge.game(game.key)
    return keys.every(isFinal) ? state : state.unsettled
  },
})

/** The keys of a team's boxscores of a season. */
export const seasonBoxscores = slots<Keys, Scope>({
  name: 'season boxscores',
  keyOf: ({ organization_id, season }) => `${organization_id} ${season}`,
  freshness: ({ fresh }, { organization_id, season }) => fresh.ofSeason(organization_id, season),
})

/** Loads team boxscores: one call for all games that want both sides, as few as possible for those that want one, one for seasons. */
export const boxscores = new Loader<BoxscoresWanted, Keys>('boxscores', plan)

function plan(world: World, asks: readonly Ask<BoxscoresWanted>[]): Splits<BoxscoresWanted, Keys> {
  const wanted = asks.map((ask) => ask.wanted)
  const plans = new Map<string, readonly BoxscoreCall[]>()
  for (const { scope } of wanted)
    if (!plans.has(scope.organization_id))
      plans.set(scope.organization_id, planBoxscores(pairs(world, wanted, scope.organization_id)))
  const callOf = ({ game, scope }: BoxscoresWanted) =>
    plans.get(scope.organization_id)?.findIndex(({ games }) => game !== null && games.has(game)) ?? -1
  return byGroup(
    asks,
    (one) => `${one.scope.organization_id} ${one.game === null ? `season ${one.scope.season}` : callOf(one)}`,
    (group) => {
      const [{ wanted: first }] = group
      const planned = plans.get(first.scope.organization_id)?.[callOf(first)]
      return planned ? ofGames(world, group, planned.teams) : ofSeasons(world, group)
    },
  )
}

const pairs = (world: World, wanted: readonly BoxscoresWanted[], organization: string) =>
  wanted.flatMap(({ game, team, scope }) =>
    game === null || scope.organization_id !== organization
      ? []
      : [{ game, team, opponent: opponentOf(world, game, team) }],
  )

const opponentOf = (world: World, game: string, team: string | null) =>
  team === null ? null : (teamsOf(world.rows.entry('game', game)).find((other) => other !== team) ?? null)

/** The teams of a game, as far as they are known: away first. */
export const teamsOf = (game: Entry): readonly string[] =>
  [game.column('away_team_id', 0), game.column('home_team_id', 0)].filter((id) => typeof id === 'string')

interface Line {
  readonly key: string
  readonly game: unknown
  readonly team: unknown
}

interface Lines {
  readonly found: readonly Line[]
  readonly boughtAt: number
}

async function read(world: World, asks: Asks<BoxscoresWanted>, values: Arguments): Promise<Lines> {
  const { keys, boughtAt } = await call(world, {
    operation: operations.readBoxscore,
    arguments: values,
    requests: requestsOf(asks),
    field: asks[0].field,
  })
  return { found: lines(world, keys), boughtAt }
}

function lines(world: World, keys: Keys): Line[] {
  return keys.map((key) => {
    const entry = world.rows.entry('boxscore', key)
    // Keys never age, so that any moment does.
    return { key, game: entry.column('game_id', 0), team: entry.column('team_id', 0) }
  })
}

const unique = (values: readonly (string | null)[]) => [...new Set(values.filter((value) => value !== null))]

async function ofSeasons(world: World, asks: Asks<BoxscoresWanted>): Promise<Boxscores> {
  const [{ wanted }] = asks
  const { organization_id, season } = wanted.scope
  const teams = unique(asks.map((ask) => ask.wanted.team))
  const values = argumentsOf({ organization_id, team_id: teams, season })
  const { found, boughtAt } = await read(world, asks, values)
  const keysOf = (team: string | null) => found.filter((line) => line.team === team).map(({ key }) => key)
  for (const team of teams)
    seasonBoxscores(wanted.scope).put(world, world.rows.entry('team', team), keysOf(team), boughtAt)
  // A team's season has its side of each game.
  for (const { key, game, team } of found)
    gameBoxscores(String(team)).put(world, world.rows.entry('game', String(game)), [key], boughtAt)
  return (ask) => keysOf(ask.wanted.team)
}

/** One call for games, and for some of their teams. A key without read access gets one call for each side of a game. */
async function ofGames(
  world: World,
  asks: Asks<BoxscoresWanted>,
  teams: ReadonlySet<string>,
): Promise<Boxscores> {
  const { organization_id } = asks[0].wanted.scope
  const games = unique(asks.map(({ wanted }) => wanted.game))
  const both = teams.size === 0
  const values = { organization_id, game_id: games, ...(both ? {} : { team_id: [...teams] }) }
  try {
    const { found, boughtAt } = await read(world, asks, values)
    const bare = games.filter((game) => !found.some((line) => line.game === game))
    const moved = await readElsewhere(world, asks, bare)
    for (const game of games) if (!moved.has(game)) keep(world, game, found, boughtAt, both)
    if (!both) for (const { wanted } of asks) keepNone(world, wanted, boughtAt)
    return ({ wanted }) => moved.get(wanted.game ?? '')?.(wanted) ?? keysIn(found, wanted)
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error
    return (ask) => oneByOne(world, ask)
  }
}

const keysIn = (found: readonly Line[], { game, team }: BoxscoresWanted): Keys =>
  found.filter((line) => line.game === game && (team === null || line.team === team)).map(({ key }) => key)

/**
 * A game whose row is not at hand was assumed to be of the default league. Where nothing was found, its row tells, and the boxscores of
 * another league's games are read there. Answers with those games, and what was found of each.
 */
async function readElsewhere(
  world: World,
  asks: Asks<BoxscoresWanted>,
  bare: readonly string[],
): Promise<ReadonlyMap<string, (wanted: BoxscoresWanted) => Keys | undefined>> {
  const assumed = asks.flatMap((ask) => {
    const { game, isAssumed } = ask.wanted
    return isAssumed && game !== null && bare.includes(game) ? [{ ask, game }] : []
  })
  await allDone(
    assumed.map(({ ask: { request, field }, game }) =>
      loadColumns(request, 'game', game, ['organization_id'], field),
    ),
  )
  const moved = assumed.flatMap(({ ask, game }) => {
    const organization_id = world.rows.entry('game', game).column('organization_id', 0)
    const { scope } = ask.wanted
    if (typeof organization_id !== 'string' || organization_id === scope.organization_id) return []
    return [{ ...ask, wanted: { ...ask.wanted, scope: { ...scope, organization_id }, isAssumed: false } }]
  })
  const found = await allDone(boxscores.callNow(world, moved))
  const byWhat = new Map(moved.map(({ wanted }, index) => [wanted.what, found[index] ?? []]))
  const valueOf = ({ what }: BoxscoresWanted) => byWhat.get(what)
  return new Map(moved.map(({ wanted }) => [wanted.game ?? '', valueOf]))
}

function keep(world: World, game: string, found: readonly Line[], boughtAt: number, both: boolean): void {
  const entry = world.rows.entry('game', game)
  const own = found.filter((line) => line.game === game)
  for (const { key, team } of own) gameBoxscores(String(team)).put(world, entry, [key], boughtAt)
  if (!both) return
  gameBoxscores(null).put(
    world,
    entry,
    own.map(({ key }) => key),
    boughtAt,
  )
  for (const team of teamsOf(entry))
    if (!own.some((line) => line.team === team)) gameBoxscores(team).put(world, entry, [], boughtAt)
}

function keepNone(world: World, { game, team }: BoxscoresWanted, boughtAt: number): void {
  if (game === null || team === null) return
  const entry = world.rows.entry('game', game)
  const side = gameBoxscores(team)
  if (side.read(entry, boughtAt - 1) === undefined) side.put(world, entry, [], boughtAt)
}

/** One call for each side of a game, whose teams the game's row tells. */
async function oneByOne(world: World, { request, field, wanted }: Ask<BoxscoresWanted>): Promise<Keys> {
  const { team, scope } = wanted
  const game = wanted.game ?? ''
  const entry = world.rows.entry('game', game)
  if (team === null) await loadColumns(request, 'game', game, ['away_team_id', 'home_team_id'], field)
  const answers = await allDone(
    (team === null ? teamsOf(entry) : [team]).map((team_id) =>
      call(world, {
        operation: operations.getBoxscore,
        arguments: { organization_id: scope.organization_id, game_id: game, team_id },
        requests: [request],
        field,
      }),
    ),
  )
  const found = lines(
    world,
    answers.flatMap(({ keys }) => keys),
  )
  const boughtAt = Math.min(...answers.map((answer) => answer.boughtAt))
  keep(world, game, found, boughtAt, team === null)
  keepNone(world, wanted, boughtAt)
  return keysIn(found, wanted)
}
