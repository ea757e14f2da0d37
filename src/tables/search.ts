import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { free, sizeOf } from '../graph/cost.ts'
import { fieldName, handle } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { convert } from '../graph/scalars.ts'
import { selectedFields } from '../graph/selection.ts'
import { typeOf } from '../graph/types.ts'
import { call } from '../upstream/call.ts'
import { BadUserInputError } from '../upstream/errors.ts'
import { freshFor } from '../upstream/freshness.ts'
import { byGroup, load, requestsOf } from '../upstream/load.ts'
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
  readonly groups: readonly Group[]
}

const facetName = (group: Group, name: string) => `search ${group} ${name}`

/** The source of matches: one call for each name, for the groups that anybody wants and no others. */
const searches: Source<SearchAsk> = {
  name: 'search',
  fill: (world, asks) =>
    byGroup(
      asks,
      ({ league: { entry }, name }) => `${entry.key} ${name}`,
      async (group) => {
        const [{ league: of, name, field, request }] = group
        const wanted = groupNames.filter(
          (one) =>
            group.some((ask) => ask.groups.includes(one)) &&
            of.entry.facet(facetName(one, name), request.now) === undefined,
        )
        const { organization_id, division_id } = of.scope
        // Without flags all three groups are searched.
        const flags =
          wanted.length === groupNames.length ? [] : wanted.map((one) => [groups[one].flag, 1] as const)
        const { body } = await call(world, {
          operation: operations.search,
          arguments: argumentsOf({ name, organization_id, division_id, ...Object.fromEntries(flags) }),
          requests: requestsOf(group),
          field,
        })
        for (const one of wanted) keep(world, of, name, one, body[one])
      },
    ),
}

function keep(world: World, { entry }: League, name: string, group: Group, items: unknown): void {
  const now = world.upstream.settings.clock()
  const matches = Array.isArray(items)
    ? items.filter(isRow).flatMap((item) => matchOf(world, group, item, now))
    : null
  entry.putFacet(facetName(group, name), matches, now + freshFor.current)
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

type Result = Readonly<Record<Group, readonly Found[] | null>>

const result = builder.objectRef<Result>('SearchResult').implement({
  cost: free,
  description: 'What a search found, at most six a group. A group that was not searched is null.',
  fields: (t) => ({
    teams: t.field({
      type: [typeOf('team')],
      nullable: { list: true, items: false },
      listSize: sizeOf('matches'),
      description: 'Teams whose name, code or other name matches.',
      resolve: ({ teams }): readonly Handle[] | null => teams && teams.map(({ row }) => row),
    }),
    players: t.field({
      type: [playerMatch],
      nullable: { list: true, items: false },
      listSize: sizeOf('matches'),
      description: 'Players whose first or last name matches, the most relevant first.',
      resolve: ({ players }) => players,
    }),
    coaches: t.field({
      type: [coachMatch],
      nullable: { list: true, items: false },
      listSize: sizeOf('matches'),
      description: 'Coaches whose first or last name matches.',
      resolve: ({ coaches }) => coaches,
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

async function search(
  of: League,
  name: string,
  wanted: readonly Group[],
  { client: request }: Context,
  info: GraphQLResolveInfo,
): Promise<Result> {
  const { now } = request
  const facetOf = (group: Group) => of.entry.facet(facetName(group, name), now)
  const field = fieldName(info)
  const isThere = () => wanted.every((group) => facetOf(group) !== undefined)
  if (isThere()) {
    if (wanted.some((group) => of.entry.isOlder(request.began, facetName(group, name))))
      request.hit('search/search', ['name'], field)
  } else {
    const what = `${of.entry.key} ${wanted.join()} ${name}`
    await load(searches, { request, what, field, league: of, name, groups: wanted, isThere })
  }
  const matches = (group: Group) => {
    const found = wanted.includes(group) ? (facetOf(group) as readonly Match[] | null) : null // put by keep() alone
    const { flag } = groups[group]
    return found && found.map((match) => foundAs(match, handle(request, flag, match.key, of.scope)))
  }
  return { teams: matches('teams'), players: matches('players'), coaches: matches('coaches') }
}

builder.objectField(league, 'search', (t) =>
  t.field({
    type: result,
    nullable: true,
    description:
      'Teams, players and coaches of the league by name. Costs one call, for the groups that the query selects: a group that is not selected is not searched.',
    args: { name: t.arg.string({ required: true }), groups: t.arg({ type: [searchGroup] }) },
    resolve: (of, { name, groups: asked }, context, info) => {
      if (name.trim() === '') throw new BadUserInputError('A search needs a name.')
      const selected = selectedFields(info)
      const wanted = groupNames.filter((group) => selected.has(group) && (!asked || asked.includes(group)))
      return wanted.length === 0
        ? { teams: null, players: null, coaches: null }
        : search(of, name.trim(), wanted, context, info)
    },
  }),
)
