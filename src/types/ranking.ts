import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { divisionOfStatistics, free, pageOfDivision } from '../graph/cost.ts'
import { andThen, facet } from '../graph/facet.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { plain } from '../graph/names.ts'
import { statNamed } from '../graph/statistics.ts'
import type { Freshness } from '../rows/freshness.ts'
import { keyOf, tables } from '../specification/tables.ts'
import { call } from '../upstream/call.ts'
import { BadUserInputError } from '../upstream/errors.ts'
import { grouped } from '../upstream/groups.ts'
import { byGroup, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { operations } from '../upstream/operations.ts'
import type { World } from '../upstream/world.ts'
import { league } from './league.ts'
import { mayHaveStatistic } from '../loaders/leaderboard-statistics.ts'
import type { League } from './league.ts'
import { statRanking } from './stat-ranking.ts'
import { statisticsAsk } from '../loaders/statistics.ts'

/** What a leaderboard ranks: the type that the download takes, and the operation whose rows it answers with. */
const subjects = {
  TEAM: { type: 'team', table: 'statistic_ranking', operation: operations.downloadTeams, ranks: 'teams' },
  PLAYER: {
    type: 'player',
    table: 'player_statistic_ranking',
    operation: operations.downloadPlayers,
    ranks: 'players',
  },
  COACH: {
    type: 'coach',
    table: 'coach_statistic_ranking',
    operation: operations.downloadCoaches,
    ranks: 'teams',
  },
  CONFERENCE: {
    type: 'conference',
    table: 'conference_statistic_ranking',
    operation: operations.downloadConferences,
    ranks: 'teams',
  },
  // A transfer is ranked by the player's statistics of the season.
  TRANSFER: { type: 'transfer', operation: operations.downloadPlayers, ranks: 'players' },
} as const

type Subject = keyof typeof subjects

interface DownloadAsk extends Ask {
  readonly league: League
  readonly season: number
  readonly subject: Subject
}

const facetName = (subject: Subject, season: number) => `ranking ${subject} ${season}`

/** The source of leaderboards: one download for each subject and season. */
const downloads: Source<DownloadAsk> = {
  name: 'downloads',
  fill: (world, asks) =>
    byGroup(
      asks,
      ({ what }) => what,
      async (group) => {
        const [{ league: of, season, subject, field }] = group
        const { type, operation } = subjects[subject]
        const { organization_id, division_id } = of.scope
        const { keys, boughtAt } = await call(world, {
          operation,
          arguments: { organization_id, division_id, season, type },
          requests: requestsOf(group),
          field,
        })
        const freshness = world.fresh.ofSeason(organization_id, season)
        of.entry.putFacet(facetName(subject, season), keys, freshness, boughtAt)
        shareWithOwners(world, group[0], keys, freshness, boughtAt)
      },
    ),
}

/** The current row of a team, a coach or a conference is the same, whichever operation brought it. A player may have one for each team. */
function shareWithOwners(
  world: World,
  { league: { scope }, season, subject }: DownloadAsk,
  keys: readonly string[],
  freshness: Freshness,
  boughtAt: number,
) {
  // A transfer's row is its own, and may lack statistics.
  if (subject === 'TRANSFER') return
  const { type: owner, table } = subjects[subject]
  const column = keyOf(owner)
  const idOf = (key: string) => String(world.rows.entry(table, key).column(column, boughtAt - 1) ?? '')
  for (const [id, [key, ...others]] of grouped(keys, idOf)) {
    if (id === '' || key === undefined || others.length > 0) continue
    const entry = world.rows.entry(owner, id)
    const which = { scope: { ...scope, season }, identity: { [column]: id } }
    entry.putFacet(statisticsAsk(table, entry, which).facet, key, freshness, boughtAt)
  }
}

const rankingSubject = builder.enumType('RankingSubject', {
  description: 'What a leaderboard ranks.',
  values: Object.fromEntries(Object.keys(subjects).map((name) => [name, { value: name }])) as Record<
    Subject,
    { value: Subject }
  >, // fromEntries forgets the keys, which are the subjects
})

interface Edge {
  readonly cursor: string
  readonly node: Handle
}

const edge = builder.edgeObject({ type: statRanking, name: 'RankingEdge', cost: free })
const connection = builder.connectionObject(
  {
    type: statRanking,
    name: 'RankingConnection',
    cost: free,
    edgesNullable: { list: false, items: false },
    fields: (t) => ({
      totalCount: t.int({
        nullable: false,
        description: 'How many there are in the whole leaderboard.',
        // page() below makes every connection, and counts.
        resolve: (parent) => (parent as unknown as { readonly totalCount: number }).totalCount,
      }),
    }),
  },
  edge,
)

/** A leaderboard’s rows, best first: by rank where the statistic has one, else the highest value first; without a value last. */
function byStatistic(rows: readonly Handle[], orderBy: string, context: Context): readonly Handle[] {
  const keyed = rows.map((row) => {
    const stat = statNamed(row, orderBy, context)
    return { row, rank: stat?.rank ?? null, value: stat?.value ?? null }
  })
  if (rows.length > 0 && keyed.every(({ rank, value }) => rank === null && value === null))
    throw noStatistic(orderBy)
  return keyed
    .toSorted((a, b) => {
      if (a.rank !== null && b.rank !== null && a.rank !== b.rank) return a.rank - b.rank
      if (a.rank === null || b.rank === null) {
        if (a.rank !== b.rank) return a.rank === null ? 1 : -1
        return (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY)
      }
      return a.row.entry.key < b.row.entry.key ? -1 : 1
    })
    .map(({ row }) => row)
}

const noStatistic = (name: string) =>
  new BadUserInputError(`No row has a statistic ${JSON.stringify(name.slice(0, 80))}.`)

const cursorOf = (key: string) => Buffer.from(`row:${key}`).toString('base64')

function page(rows: readonly Handle[], first: number | null | undefined, after: string | null | undefined) {
  const start = after == null ? 0 : rows.findIndex(({ entry }) => cursorOf(entry.key) === after) + 1
  if (after != null && start === 0) throw new BadUserInputError('`after` is no cursor of this leaderboard.')
  const edges = rows
    .slice(start, first == null ? undefined : start + first)
    .map((node): Edge => ({ node, cursor: cursorOf(node.entry.key) }))
  return {
    edges,
    totalCount: rows.length,
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
      hasPreviousPage: start > 0,
      hasNextPage: start + edges.length < rows.length,
    },
  }
}

interface RankingArguments {
  readonly subject: Subject
  readonly season: number
  readonly orderBy: string
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
}

/**
 * Whether to download for a statistic. Rows of the leaderboard seen before tell which statistics it has; before any was seen, it may
 * have those that either sport is known to have. What a row says of itself is no statistic.
 */
function mayBeStatistic(
  { entry }: League,
  { subject, season, orderBy }: RankingArguments,
  world: World,
): boolean {
  const table = subjects[subject].operation.yields
  const name = plain(orderBy)
  if (Object.keys(tables[table]).some((column) => plain(column) === name)) return false
  const keys = (entry.stale(facetName(subject, season)) ?? []) as readonly string[] // put by downloads alone
  let isSeen = false
  for (const key of keys) {
    const columns = Object.keys(world.rows.entry(table, key).columns(0))
    if (columns.some((column) => plain(column) === name)) return true
    isSeen ||= columns.length > 0
  }
  return !isSeen && mayHaveStatistic(subjects[subject].ranks, orderBy)
}

function ranking(of: League, args: RankingArguments, context: Context, info: GraphQLResolveInfo) {
  const { subject, season, orderBy, first, after } = args
  const { type, operation } = subjects[subject]
  if (!mayBeStatistic(of, args, context.client.world)) throw noStatistic(orderBy)
  if (first != null && first < 0) throw new BadUserInputError('`first` must not be negative.')
  const ask = { league: of, season, subject, what: `${of.entry.key} ${season} ${type}` }
  const from = { source: downloads, ask, operation: 'ranking/download' }
  return andThen(
    facet<DownloadAsk, readonly string[]>(of.entry, facetName(subject, season), from, context, info),
    (keys) => {
      const rows = handles(context.client, operation.yields, keys ?? [], { ...of.scope, season })
      return page(byStatistic(rows, orderBy, context), first, after)
    },
  )
}

builder.objectField(league, 'ranking', (t) =>
  t.field({
    type: connection,
    nullable: true,
    cost: divisionOfStatistics,
    listSize: pageOfDivision,
    description:
      'A whole division’s leaderboard of a season by any statistic, best first. Costs one download of the division, whatever page is asked for; `UNSUPPORTED` where the service has none.',
    args: {
      subject: t.arg({ type: rankingSubject, required: true }),
      season: t.arg.int({ required: true }),
      orderBy: t.arg.string({
        required: true,
        description:
          'A statistic by its column’s name, in either spelling. One that neither basketball nor football has is `BAD_USER_INPUT`, and costs nothing.',
      }),
      first: t.arg.int(),
      after: t.arg.string(),
    },
    resolve: (of, args, context, info) => ranking(of, args, context, info),
  }),
)
