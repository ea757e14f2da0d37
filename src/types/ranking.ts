import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { divisionOfStatistics, free, pageOfDivision } from '../graph/cost.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { relation } from '../graph/relation.ts'
import { scopeWith } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { nearestStatistic, sportsWith } from '../graph/statistic-names.ts'
import { statNamed } from '../graph/statistics.ts'
import { allOf } from '../graph/typed-row.ts'
import { downloads, leaderboardAt, rowsHave, sportOf, subjects } from '../loaders/leaderboards.ts'
import type { Subject } from '../loaders/leaderboards.ts'
import { newestPossible } from '../rows/seasons.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { BadUserInputError, NotInRowsError } from '../errors/errors.ts'
import { league } from './league.ts'
import type { League } from './league.ts'
import { cursorsOf, nameIn, positionOf, subjectOf } from './ranking-cursor.ts'
import { inSeason } from './season.ts'
import { statRanking } from './stat-ranking.ts'

const rankingSubject = builder.enumType('RankingSubject', {
  description: 'The subjects of a leaderboard.',
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
        description: 'The number of rows in the whole leaderboard.',
        // Every connection is made by page() below, which counts.
        resolve: (parent) => (parent as unknown as { readonly totalCount: number }).totalCount,
      }),
    }),
  },
  edge,
)

/**
 * A leaderboard’s rows, best first: by rank; without ranks, the highest value first. Rows without a value are
 * last.
 */
function byStatistic(
  rows: readonly Handle[],
  subject: Subject,
  orderBy: string,
  context: Context,
): readonly Handle[] {
  const keyed = rows.map((row) => {
    const stat = statNamed(row, orderBy, context)
    return { row, rank: stat?.rank ?? null, value: stat?.value ?? null }
  })
  if (rows.length > 0 && keyed.every(({ rank, value }) => rank === null && value === null))
    throw noStatistic(subject, orderBy)
  return keyed
    .toSorted((a, b) => {
      if (a.rank !== null && b.rank !== null && a.rank !== b.rank) return a.rank - b.rank
      if (a.rank === null || b.rank === null) {
        if (a.rank !== b.rank) return a.rank === null ? 1 : -1
        return (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY)
      }
      return subjectOf(subject, a.row) < subjectOf(subject, b.row) ? -1 : 1
    })
    .map(({ row }) => row)
}

function noStatistic(subject: Subject, name: string): BadUserInputError {
  const how = /rank$/i.test(name)
    ? ' Name the statistic, not its rank: the rows are in the order of its ranks.'
    : ''
  const { ranks } = subjects[subject]
  const ofSports = sportsWith(ranks, name)
  const isOfSport = ofSports.length > 0
  const near = isOfSport || how ? undefined : nearestStatistic(ranks, name)
  const where = ofSports.length === 1 ? ` It is a statistic of ${ofSports[0]}.` : how
  const hint = near === undefined ? where : ` Is ${JSON.stringify(near)} meant?`
  const message = `No row of this leaderboard has the statistic ${JSON.stringify(name.slice(0, 80))}.${hint}`
  return isOfSport ? new NotInRowsError(message) : new BadUserInputError(message)
}

/**
 * Why no download can help: known rows lack the statistic, or no sport has it, or not that of the league. Only the
 * last may cost a small call. Null if one may help.
 */
function whyUnranked(
  of: League,
  { subject, orderBy, season }: Pick<RankingArguments, 'subject' | 'orderBy' | 'season'>,
  request: ClientRequest,
): MaybePromise<BadUserInputError | null> {
  const newest = newestPossible(request.account.upstream.moment())
  const seasons = season == null ? [newest, newest - 1, newest - 2] : [season]
  const known = new Set(seasons.map((one) => rowsHave(orderBy, of, subject, one, request.account)))
  if (known.has(true)) return null
  const possible = sportsWith(subjects[subject].ranks, orderBy)
  if (known.has(false) || possible.length === 0) return noStatistic(subject, orderBy)
  if (possible.length > 1) return null
  return andThen(sportOf(of, request), (sport) =>
    sport === null || possible.includes(sport) ? null : noStatistic(subject, orderBy),
  )
}

const noCursor = '`after` is not a cursor of this leaderboard.'

function page(
  rows: readonly Handle[],
  { subject, first, after }: Pick<RankingArguments, 'subject' | 'first' | 'after'>,
) {
  const start = after == null ? 0 : positionOf(subject, rows, nameIn(subject, after)) + 1
  if (after != null && start === 0) throw new NotInRowsError(noCursor)
  const end = first == null ? rows.length : start + first
  const cursors = cursorsOf(subject, rows.slice(0, end))
  const edges = rows
    .slice(start, end)
    .map((node, index): Edge => ({ node, cursor: cursors[start + index] ?? '' }))
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

interface RankingArguments extends ScopeArguments {
  readonly subject: Subject
  readonly orderBy: string
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
}

builder.objectField(league, 'ranking', (t) =>
  t.field({
    type: connection,
    nullable: true,
    cost: divisionOfStatistics,
    listSize: pageOfDivision,
    description:
      'A division’s leaderboard of a season by any statistic, best first. Costs one download of the whole division, for any page. Fails with `UNSUPPORTED` if the service has none.',
    args: {
      subject: t.arg({ type: rankingSubject, required: true }),
      season: t.arg.int(),
      orderBy: t.arg.string({
        required: true,
        description:
          'The statistic: a column’s name, `total_rebounds` or `totalRebounds`. Its ranks order the rows; a column of ranks, `points_rank`, is no statistic. A name that no sport has fails with `BAD_USER_INPUT` and costs nothing.',
      }),
      first: t.arg.int(),
      after: t.arg.string(),
    },
    ...relation({
      needs: {},
      loader: downloads,
      operation: ({ wanted }) => subjects[wanted.subject].operation,
      place: (of: League, { subject, orderBy, first, after, ...args }: RankingArguments, context) => {
        if (first != null && first < 0) throw new BadUserInputError('`first` must not be negative.')
        if (after != null && nameIn(subject, after) === null) throw new BadUserInputError(noCursor)
        const scope = scopeWith(args, of.scope, {})
        const reason = whyUnranked(of, { subject, orderBy, season: scope.season }, context.clientRequest)
        if (reason instanceof BadUserInputError) throw reason
        // Both may cost a small call, so they are asked side by side.
        return andThen(allOf([reason, inSeason(scope, context, 'League.ranking')]), ([late, { season }]) => {
          if (late !== null) throw late
          return leaderboardAt(of, subject, season)
        })
      },
      answer: (keys, { scope }, context, _of, { subject, orderBy, first, after }) => {
        const rows = handles(context.clientRequest, subjects[subject].operation.yields, keys ?? [], scope)
        return page(byStatistic(rows, subject, orderBy, context), { subject, first, after })
      },
    }),
  }),
)
