import type { Scope } from '../graph/scope.ts'
import type { Freshness } from '../rows/freshness.ts'
import { planBoxscores } from '../plan/boxscores.ts'
import type { BoxscoreCall } from '../plan/boxscores.ts'
import { call } from '../upstream/call.ts'
import { AccessDeniedError } from '../upstream/errors.ts'
import { allDone } from '../upstream/groups.ts'
import { byGroup, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { argumentsOf, operations } from '../upstream/operations.ts'
import type { Arguments } from '../upstream/operations.ts'
import { loadColumns } from '../upstream/read.ts'
import type { Entry } from '../upstream/entry.ts'
import type { World } from '../upstream/world.ts'

/** Boxscores of a game: both teams', or one's; or of a team's season, where no game is named. */
export interface BoxscoreAsk extends Ask {
  readonly game: string | null
  readonly team: string | null
  readonly scope: Scope & { readonly organization_id: string }
  /** Whether the organization is the default one, because neither the game's row nor its scope names one. */
  readonly isAssumed: boolean
}

type Asks = readonly [BoxscoreAsk, ...BoxscoreAsk[]]

/** The source of team boxscores: one call for all games that want both sides, one for those that want one, one for teams' seasons. */
export const boxscoresOf: Source<BoxscoreAsk> = {
  name: 'boxscores',
  fill(world, asks) {
    const plans = new Map<string, readonly BoxscoreCall[]>()
    for (const { scope } of asks) {
      const { organization_id } = scope
      if (!plans.has(organization_id))
        plans.set(organization_id, planBoxscores(wanted(world, asks, organization_id)))
    }
    const callOf = ({ game, scope }: BoxscoreAsk) =>
      plans.get(scope.organization_id)?.findIndex(({ games }) => game !== null && games.has(game)) ?? -1
    const found = byGroup(
      asks,
      (ask) =>
        `${ask.scope.organization_id} ${ask.game === null ? `season ${ask.scope.season}` : callOf(ask)}`,
      async (group) => {
        const planned = plans.get(group[0].scope.organization_id)?.[callOf(group[0])]
        await (planned ? ofCall(world, group, planned.teams) : ofSeasons(world, group))
      },
    )
    return asks.map((ask, index) => allowed(world, ask, found[index]))
  },
}

const wanted = (world: World, asks: readonly BoxscoreAsk[], organization: string) =>
  asks.flatMap(({ game, team, scope }) =>
    game === null || scope.organization_id !== organization
      ? []
      : [{ game, team, opponent: opponentOf(world, game, team) }],
  )

const opponentOf = (world: World, game: string, team: string | null) =>
  team === null ? null : (teamsOf(world.rows.entry('game', game)).find((other) => other !== team) ?? null)

interface Line {
  readonly key: string
  readonly game: unknown
  readonly team: unknown
}

interface Lines {
  readonly found: readonly Line[]
  readonly boughtAt: number
}

async function read(world: World, asks: Asks, values: Arguments): Promise<Lines> {
  const { keys, boughtAt } = await call(world, {
    operation: operations.readBoxscore,
    arguments: values,
    requests: requestsOf(asks),
    field: asks[0].field,
  })
  return { found: lines(world, keys), boughtAt }
}

function lines(world: World, keys: readonly string[]): Line[] {
  return keys.map((key) => {
    const entry = world.rows.entry('boxscore', key)
    // Keys never age, so that any moment does.
    return { key, game: entry.column('game_id', 0), team: entry.column('team_id', 0) }
  })
}

const unique = (values: readonly (string | null)[]) => [...new Set(values.filter((value) => value !== null))]

async function ofSeasons(world: World, asks: Asks): Promise<void> {
  const { organization_id, season } = asks[0].scope
  const teams = unique(asks.map(({ team }) => team))
  const { found, boughtAt } = await read(
    world,
    asks,
    argumentsOf({ organization_id, team_id: teams, season }),
  )
  for (const team of teams) {
    const keys = found.filter((line) => line.team === team).map(({ key }) => key)
    const freshness = world.fresh.ofSeason(organization_id, season)
    world.rows
      .entry('team', team)
      .putFacet(`boxscores ${organization_id} ${season}`, keys, freshness, boughtAt)
  }
  // A team's season has its side of each game.
  for (const { key, game, team } of found)
    world.rows
      .entry('game', String(game))
      .putFacet(`boxscore ${String(team)}`, key, freshnessOf(world, String(game), [key], boughtAt), boughtAt)
}

async function ofCall(world: World, asks: Asks, teams: ReadonlySet<string>): Promise<void> {
  const { organization_id } = asks[0].scope
  const games = unique(asks.map(({ game }) => game))
  const both = teams.size === 0
  const values = { organization_id, game_id: games, ...(both ? {} : { team_id: [...teams] }) }
  const { found, boughtAt } = await read(world, asks, values)
  const bare = games.filter((game) => !found.some((line) => line.game === game))
  const moved = await readElsewhere(world, asks, bare)
  for (const game of games)
    if (!moved.has(game))
      keep(world, game, { found: found.filter((line) => line.game === game), boughtAt }, both)
  if (!both) for (const ask of asks) keepNone(world, ask, boughtAt)
}

/**
 * A game whose row is not at hand was assumed to be of the default league. Where nothing was found, its row tells, and the boxscores of
 * another league's games are read there. Answers with those games.
 */
async function readElsewhere(
  world: World,
  asks: Asks,
  bare: readonly string[],
): Promise<ReadonlySet<string>> {
  const organizationOf = (game: string) => world.rows.entry('game', game).column('organization_id', 0)
  const assumed = asks.flatMap(({ game, isAssumed, ...ask }) =>
    isAssumed && game !== null && bare.includes(game) ? [{ ...ask, game }] : [],
  )
  await allDone(
    assumed.map(({ request, game, field }) => loadColumns(request, 'game', game, ['organization_id'], field)),
  )
  const moved = assumed.flatMap((ask) => {
    const organization_id = organizationOf(ask.game)
    if (typeof organization_id !== 'string' || organization_id === ask.scope.organization_id) return []
    return [{ ...ask, scope: { ...ask.scope, organization_id }, isAssumed: false }]
  })
  await allDone(boxscoresOf.fill(world, moved))
  return new Set(moved.map((ask) => ask.game))
}

function keep(world: World, game: string, { found, boughtAt }: Lines, both: boolean): void {
  const entry = world.rows.entry('game', game)
  const keys = found.map(({ key }) => key)
  const freshness = freshnessOf(world, game, keys, boughtAt)
  if (both) entry.putFacet('boxscores', keys, freshness, boughtAt)
  for (const { key, team } of found) entry.putFacet(`boxscore ${String(team)}`, key, freshness, boughtAt)
  if (both)
    for (const team of teamsOf(entry).filter((id) => !found.some((line) => line.team === id)))
      entry.putFacet(`boxscore ${team}`, null, freshness, boughtAt)
}

function keepNone(world: World, { game, team }: BoxscoreAsk, boughtAt: number): void {
  if (game === null || team === null) return
  const entry = world.rows.entry('game', game)
  if (entry.facet(`boxscore ${team}`, boughtAt - 1) === undefined)
    entry.putFacet(`boxscore ${team}`, null, world.game(game), boughtAt)
}

const teamsOf = (entry: Entry) =>
  [entry.column('away_team_id', 0), entry.column('home_team_id', 0)].filter((id) => typeof id === 'string')

/** The one team of a game whose side is not at hand while the other's is; null where both are, or neither. */
export function sideLacking(game: Entry, sideOf: (team: string) => string, now: number): string | null {
  const teams = teamsOf(game)
  const lacking = teams.filter((team) => game.facet(sideOf(team), now) === undefined)
  return teams.length === 2 && lacking.length === 1 ? (lacking[0] ?? null) : null
}

/** Makes both sides of a game of each, where each has been paid for apart. */
export function joinSides(game: Entry, whole: string, sideOf: (team: string) => string, now: number): void {
  const sides = teamsOf(game).map((team) => sideOf(String(team)))
  if (sides.length === 2) game.joinFacets(whole, sides, now)
}

/** A game's boxscores age with the game. Numbers that are not final may change after its end. */
function freshnessOf(world: World, game: string, keys: readonly string[], boughtAt: number): Freshness {
  const isFinal = (key: string) =>
    Number(world.rows.entry('boxscore', key).column('final', boughtAt - 1)) === 1
  const state = world.game(game)
  return keys.every(isFinal) ? state : state.unsettled
}

/** For a key without read access: one call for each side of a game, whose teams the game's row tells. */
async function allowed(world: World, ask: BoxscoreAsk, found: Promise<unknown> | undefined): Promise<void> {
  try {
    await found
  } catch (error) {
    if (!(error instanceof AccessDeniedError) || ask.game === null) throw error
    await oneByOne(world, ask, ask.game)
  }
}

async function oneByOne(world: World, ask: BoxscoreAsk, game: string): Promise<void> {
  const { request, team, scope, field } = ask
  const entry = world.rows.entry('game', game)
  if (team === null) await loadColumns(request, 'game', game, ['away_team_id', 'home_team_id'], field)
  const answers = await allDone(
    (team === null ? teamsOf(entry).map(String) : [team]).map((team_id) =>
      call(world, {
        operation: operations.getBoxscore,
        arguments: { organization_id: scope.organization_id, game_id: game, team_id },
        requests: [request],
        field,
      }),
    ),
  )
  const keys = answers.flatMap((answer) => answer.keys)
  const boughtAt = Math.min(...answers.map((answer) => answer.boughtAt))
  keep(world, game, { found: lines(world, keys), boughtAt }, team === null)
  keepNone(world, ask, boughtAt)
}
