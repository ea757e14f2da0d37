import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { free, sizeOf } from '../graph/cost.ts'
import { andThen, facet } from '../graph/facet.ts'
import { handle } from '../graph/handle.ts'
import type { Handle, Soon } from '../graph/handle.ts'
import { convert } from '../graph/scalars.ts'
import { typeOf } from '../graph/types.ts'
import { call } from '../upstream/call.ts'
import { BadUserInputError } from '../upstream/errors.ts'
import { byGroup, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { argumentsOf, operations } from '../upstream/operations.ts'
import { putRow } from '../upstream/put.ts'
import { isRow } from '../upstream/entry.ts'
import type { RawRow } from '../upstream/entry.ts'
import type { World } from '../upstream/world.ts'
import { league } from './league.ts'
import type { League } from './league.ts'
import type { GraphQLResolveInfo } from 'graphql'

/** The groups of a search: the flag that asks for each, the key of its answer, and the columns that its items have. */
const groups = {
  teams: { flag: 'team', columns: ['team_id', 'char6', 'code', 'name', 'alt_name', 'primary_color'] },
  players: { flag: 'player', columns: ['player_id', 'first_name', 'last_name'] },
  coaches: { flag: 'coach', columns: ['coach_id', 'first_name', 'last_name'] },
} as const

type Group = keyof typeof groups
const groupNames = Object.keys(groups) as Group[] // the keys just written
const supplies = new Map(groupNames.map((group) => [group, new Set<string>(groups[group].columns)]))

interface Match {
  readonly key: string
  readonly begin: unknown
  readonly end: unknown
  readonly relevance: unknown
}

interface SearchAsk extends Ask {
  readonly league: League
  readonly name: string
  readonly group: Group
}

const facetName = (group: Group, name: string) => `search ${group} ${name}`

/**
 * The source of matches. A flag searches its group and no other, and without flags all three are searched: so all three of a name
 * cost one call, and one or two of them a call each.
 */
const searches: Source<SearchAsk> = {
  name: 'search',
  fill(world, asks) {
    const nameOf = ({ league: { entry }, name }: SearchAsk) => `${entry.key} ${name}`
    const wanted = new Map<string, Set<Group>>()
    for (const ask of asks) wanted.set(nameOf(ask), (wanted.get(nameOf(ask)) ?? new Set()).add(ask.group))
    const isWhole = (ask: SearchAsk) => wanted.get(nameOf(ask))?.size === groupNames.length
    return byGroup(
      asks,
      (ask) => `${isWhole(ask) ? 'all' : ask.group} ${nameOf(ask)}`,
      (group) => search(world, group, isWhole(group[0]) ? groupNames : [group[0].group]),
    )
  },
}

async function search(
  world: World,
  asks: readonly [SearchAsk, ...SearchAsk[]],
  searched: readonly Group[],
): Promise<void> {
  const [{ league: of, name, field }] = asks
  const { organization_id, division_id } = of.scope
  const flags = searched.length === 1 ? searched.map((group) => [groups[group].flag, 1] as const) : []
  const { body, boughtAt } = await call(world, {
    operation: operations.search,
    arguments: argumentsOf({ name, organization_id, division_id, ...Object.fromEntries(flags) }),
    requests: requestsOf(asks),
    field,
  })
  for (const group of searched) keep(world, of, name, group, body[group], boughtAt)
}

function keep(
  world: World,
  { entry }: League,
  name: string,
  group: Group,
  items: unknown,
  now: number,
): void {
  const matches = Array.isArray(items)
    ? items.filter(isRow).flatMap((item) => matchOf(world, group, item, now))
    : null
  entry.putFacet(facetName(group, name), matches, world.fresh.current, now)
}

function matchOf(world: World, group: Group, item: RawRow, now: number): Match[] {
  const { begin, end, relevance_score: relevance, ...row } = item
  const key = putRow(world, groups[group].flag, row, supplies.get(group) ?? new Set(), now)
  return key === null || convert.flag(row['deleted']) === true ? [] : [{ key, begin, end, relevance }]
}

interface Found extends Match {
  readonly row: Handle
}

const foundAs = ({ key, begin, end, relevance }: Match, row: Handle): Found => ({
  key,
  begin,
  end,
  relevance,
  row,
})

const years = (match: 'player' | 'coach') =>
  ({
    begin: `First season in which the ${match} appears in the sport.`,
    end: `Last season in which the ${match} appears in the sport.`,
  }) as const

const season = (value: unknown) => convert.integer(value) as number | null // what a conversion of its kind yields

function defineMatch(name: string, table: 'player' | 'coach') {
  const { begin, end } = years(table)
  return builder.objectRef<Found>(name).implement({
    cost: free,
    description: `A ${table} that a search found.`,
    fields: (t) => ({
      [table]: t.field({
        type: typeOf(table),
        nullable: false,
        description: `The ${table}. Names cost nothing more, other columns a read for all that ask.`,
        resolve: ({ row }) => row,
      }),
      begin: t.int({ description: begin, resolve: (match) => season(match.begin) }),
      end: t.int({ description: end, resolve: (match) => season(match.end) }),
      relevanceScore: t.int({
        description: 'How well it matches, higher for better; null where the service does not say.',
        resolve: (match) => season(match.relevance),
      }),
    }),
  })
}

const playerMatch = defineMatch('PlayerMatch', 'player')
const coachMatch = defineMatch('CoachMatch', 'coach')

interface Search {
  readonly league: League
  readonly name: string
  /** The groups that may be searched. */
  readonly groups: readonly Group[]
}

/** The matches of one group; null where it is not searched. Each group fails alone. */
function matches(
  { league: of, name, groups: asked }: Search,
  group: Group,
  context: Context,
  info: GraphQLResolveInfo,
): Soon<readonly Found[] | null> {
  if (!asked.includes(group)) return null
  const facetOf = facetName(group, name)
  const ask = { what: `${of.entry.key} ${group} ${name}`, league: of, name, group }
  const from = { source: searches, ask, operation: 'search/search' }
  return andThen(
    facet<SearchAsk, readonly Match[]>(of.entry, facetOf, from, context, info),
    (found) =>
      found &&
      found.map((match) => foundAs(match, handle(context.client, groups[group].flag, match.key, of.scope))),
  )
}

const result = builder.objectRef<Search>('SearchResult').implement({
  cost: free,
  description: 'What a search found, at most six a group. A group that was not searched is null.',
  fields: (t) => ({
    teams: t.field({
      type: [typeOf('team')],
      nullable: { list: true, items: false },
      listSize: sizeOf('matches'),
      description: 'Teams whose name, code or other name matches.',
      resolve: (of, _args, context, info) =>
        andThen(
          matches(of, 'teams', context, info),
          (found): readonly Handle[] | null => found && found.map(({ row }) => row),
        ),
    }),
    players: t.field({
      type: [playerMatch],
      nullable: { list: true, items: false },
      listSize: sizeOf('matches'),
      description: 'Players whose first or last name matches, the most relevant first.',
      resolve: (of, _args, context, info) => matches(of, 'players', context, info),
    }),
    coaches: t.field({
      type: [coachMatch],
      nullable: { list: true, items: false },
      listSize: sizeOf('matches'),
      description: 'Coaches whose first or last name matches.',
      resolve: (of, _args, context, info) => matches(of, 'coaches', context, info),
    }),
  }),
})

const searchGroup = builder.enumType('SearchGroup', {
  description: 'What to search for.',
  values: {
    TEAMS: { value: 'teams' },
    PLAYERS: { value: 'players' },
    COACHES: { value: 'coaches' },
  } as const,
})

builder.objectField(league, 'search', (t) =>
  t.field({
    type: result,
    nullable: true,
    description:
      'Teams, players and coaches of the league by name. A group that is not selected is not searched. Costs one call for all three groups or for one, two calls for two.',
    args: { name: t.arg.string({ required: true }), groups: t.arg({ type: [searchGroup] }) },
    resolve: (of, { name, groups: asked }) => {
      if (name.trim() === '') throw new BadUserInputError('A search needs a name.')
      return { league: of, name: name.trim(), groups: asked ?? groupNames }
    },
  }),
)
