import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { facet, andThen } from '../graph/facet.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { requireScope } from '../graph/scope.ts'
import type { Scope } from '../graph/scope.ts'
import { defineTable } from '../graph/table.ts'
import { call } from '../upstream/call.ts'
import type { Answered } from '../upstream/call.ts'
import { AccessDeniedError } from '../upstream/errors.ts'
import { grouped } from '../upstream/groups.ts'
import { byGroup, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { argumentsOf, operations } from '../upstream/operations.ts'
import type { Entry } from '../upstream/entry.ts'
import type { World } from '../upstream/world.ts'
import { leagueKey } from './days.ts'
import { league } from './league.ts'
import { scopeAt, team } from './team.ts'
import type { GraphQLResolveInfo } from 'graphql'

const elo = defineTable('elo', 'Elo', {
  description: 'A team’s Elo rating after one game.',
  node: true,
})

/** Ratings of a season, or of all: a team's, or every team's where no team is named. */
interface EloAsk extends Ask {
  readonly team: string | null
  readonly scope: Scope
  readonly current: boolean
}

type Asks = readonly [EloAsk, ...EloAsk[]]

const facetOf = ({ scope, current }: Pick<EloAsk, 'scope' | 'current'>) =>
  `elo ${leagueKey(scope)} ${scope.season} ${current ? 'current' : 'all'}`

/** The source of ratings: one call for all teams that are asked for at once, and one for all teams of a league. */
export const ratings: Source<EloAsk> = {
  name: 'elo',
  fill(world, asks) {
    const histories = new Set(asks.filter(({ current }) => !current).map(placeOf))
    // Whoever pays for a history has the current rating in it.
    const withHistory = (ask: EloAsk) => !ask.current || histories.has(placeOf(ask))
    // And whoever pays for every team has each.
    const wide = new Set(
      asks.filter(({ team: id }) => id === null).map((ask) => `${leagueOf(ask)} ${withHistory(ask)}`),
    )
    const isWide = (ask: EloAsk) => wide.has(`${leagueOf(ask)} ${withHistory(ask)}`)
    const read = byGroup(
      asks,
      (ask) => `${leagueOf(ask)} ${isWide(ask)} ${withHistory(ask)}`,
      (group) => fill(world, group, !withHistory(group[0])),
    )
    return asks.map((ask, index) => allowed(world, ask, read[index]))
  },
}

const leagueOf = ({ scope }: EloAsk) => `${leagueKey(scope)} ${scope.season}`
const placeOf = (ask: EloAsk) => `${leagueOf(ask)} ${ask.team}`

async function fill(world: World, asks: Asks, current: boolean): Promise<void> {
  const named = asks.map(({ team: id }) => id)
  const teams = named.includes(null) ? [] : [...new Set(named.flatMap((id) => id ?? []))]
  await send(world, operations.readElo, asks, teams, current)
}

async function send(
  world: World,
  operation: typeof operations.readElo | typeof operations.getElo,
  asks: Asks,
  team_id: readonly string[],
  current: boolean,
): Promise<void> {
  const { organization_id, division_id, season } = asks[0].scope
  const values = argumentsOf({ organization_id, division_id, season, current: current ? 1 : null })
  const { keys, boughtAt } = await call(world, {
    operation,
    arguments: { ...values, ...(team_id.length > 0 && { team_id }) },
    requests: requestsOf(asks),
    field: asks[0].field,
  })
  keep(world, asks, { keys, boughtAt }, current)
}

/** A key that may not read in bulk still gets each team's current rating. */
async function allowed(world: World, one: EloAsk, read: Promise<unknown> | undefined): Promise<void> {
  try {
    await read
  } catch (error) {
    if (!(error instanceof AccessDeniedError) || !one.current || one.team === null) throw error
    await send(world, operations.getElo, [one], [one.team], true)
  }
}

interface Rating {
  readonly key: string
  readonly team_id?: unknown
  readonly current?: unknown
  readonly date_of_entry?: unknown
}

function keep(
  world: World,
  asks: Asks,
  { keys, boughtAt }: Pick<Answered, 'keys' | 'boughtAt'>,
  current: boolean,
): void {
  const rows = keys
    .map((key): Rating => ({ key, ...world.rows.entry('elo', key).columns(boughtAt - 1) }))
    .toSorted((a, b) => (String(a.date_of_entry) < String(b.date_of_entry) ? -1 : 1))
  const byTeam = grouped(rows, ({ team_id }) => String(team_id))
  const put = (id: string | null, scope: Scope, own: readonly Rating[]) => {
    const entry = placeEntry(world, id, scope)
    const latest = current ? own : own.filter((row) => Number(row.current) === 1)
    const keep = (name: boolean, list: readonly Rating[]) =>
      entry.putFacet(
        facetOf({ scope, current: name }),
        list.map(({ key }) => key),
        world.fresh.ofSeason(scope.organization_id, scope.season),
        boughtAt,
      )
    keep(true, latest)
    if (!current) keep(false, own)
  }
  for (const { team: id, scope } of asks) {
    put(id, scope, id === null ? rows : (byTeam.get(id) ?? []))
    // Whoever has paid for every team has each.
    if (id === null) for (const [team, own] of byTeam) put(team, scope, own)
  }
}

const placeEntry = (world: World, id: string | null, scope: Scope): Entry =>
  id === null ? world.rows.entry('league', leagueKey(scope)) : world.rows.entry('team', id)

/** What an ask for ratings needs to know, but for who asks, and the facet that keeps them. */
export function ratingAsk(id: string | null, scope: EloAsk['scope'], current: boolean) {
  const ask = { team: id, scope, current, what: `${leagueKey(scope)} ${scope.season} ${id} ${current}` }
  return { ask, facet: facetOf(ask) }
}

function ratingsOf(
  id: string | null,
  scope: Scope,
  current: boolean,
  context: Context,
  info: GraphQLResolveInfo,
) {
  const known = requireScope(scope, 'season')
  const { world } = context.client
  const { ask, facet: name } = ratingAsk(id, known, current)
  const from = { source: ratings, ask, operation: 'elo/read' }
  return facet<EloAsk, readonly string[]>(placeEntry(world, id, scope), name, from, context, info)
}

builder.objectFields(team, (t) => ({
  elo: t.field({
    type: elo,
    nullable: true,
    description: 'The team’s current rating in a season. Costs one call for all teams that ask.',
    extensions: { needs: { into: { link: 'elo' } } },
    args: { season: t.arg.int() },
    resolve: (row, args, context, info) => {
      const scope = scopeAt(row, args, context)
      return andThen(
        ratingsOf(row.entry.key, scope, true, context, info),
        (keys): Handle | null => handles(context.client, 'elo', keys ?? [], scope).at(-1) ?? null,
      )
    },
  }),
  eloHistory: t.field({
    type: [elo],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfSeason'),
    description:
      'The team’s ratings through a season, oldest first, one after each game. Costs one call for all teams that ask.',
    extensions: { needs: { into: { link: 'eloHistory' } } },
    args: { season: t.arg.int() },
    resolve: (row, args, context, info) => {
      const scope = scopeAt(row, args, context)
      return andThen(
        ratingsOf(row.entry.key, scope, false, context, info),
        (keys) => keys && handles(context.client, 'elo', keys, scope),
      )
    },
  }),
}))

builder.objectField(league, 'elo', (t) =>
  t.field({
    type: [elo],
    nullable: { list: true, items: false },
    listSize: sizeOf('teamsOfDivision'),
    description:
      'Every team’s rating in a season: the current one, or with `current: false` one after each game.',
    args: { season: t.arg.int({ required: true }), current: t.arg.boolean({ defaultValue: true }) },
    resolve: ({ scope }, { season, current }, context, info) => {
      const at = { ...scope, season }
      return andThen(
        ratingsOf(null, at, current !== false, context, info),
        (keys) => keys && handles(context.client, 'elo', keys, at),
      )
    },
  }),
)
