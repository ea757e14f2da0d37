import { standingsOf } from '../derived/standings.ts'
import type { Standing } from '../derived/standings.ts'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { costOfSeason, free, sizeOf } from '../graph/cost.ts'
import { firstHandle, handle } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { read } from '../graph/place.ts'
import { requireScope } from '../graph/scope.ts'
import type { Known } from '../graph/scope.ts'
import { statNamed } from '../graph/statistics.ts'
import { answers } from '../loaders/answers.ts'
import { projectionAt, projections } from '../loaders/projections.ts'
import { statisticsAt } from '../loaders/statistics.ts'
import { operations } from '../specification/operations.ts'
import { conference, isElsewhere } from './conference.ts'
import { inSeason } from './season.ts'
import { teamStatRanking } from './stat-ranking.ts'
import { scopeAt } from './team.ts'
import { teamFields } from './team-fields.ts'
import { allDone } from '../groups.ts'

interface Row extends Standing {
  readonly team: Handle<'team'>
  readonly stats: Handle
}

const field = 'Conference.standings'

const standing = builder.objectRef<Row>('ConferenceStanding').implement({
  cost: free,
  description: 'A team’s line in the table of its conference, as it stands today.',
  fields: (t) => ({
    place: t.int({
      nullable: false,
      description: 'The place, 1 for the first; teams with equal records share one.',
      resolve: ({ place }) => place,
    }),
    ...teamFields(t),
    wins: t.int({ description: 'Games won, of all games.', resolve: ({ wins }) => wins }),
    losses: t.int({ description: 'Games lost, of all games.', resolve: ({ losses }) => losses }),
    percentage: t.float({
      description: 'Share of all games won, 0 to 1; null before the first game.',
      resolve: ({ percentage }) => percentage,
    }),
    conferenceWins: t.int({
      description: 'Games won against teams of the conference.',
      resolve: ({ conferenceWins }) => conferenceWins,
    }),
    conferenceLosses: t.int({
      description: 'Games lost against teams of the conference.',
      resolve: ({ conferenceLosses }) => conferenceLosses,
    }),
    conferencePercentage: t.float({
      description: 'Share of conference games won, 0 to 1; null before the first. The table is sorted by it.',
      resolve: ({ conferencePercentage }) => conferencePercentage,
    }),
    gamesBehind: t.float({
      nullable: false,
      description:
        'Games behind the first team, by conference games: half the difference of wins and losses. 0 for the first, `1.5` for one and a half.',
      resolve: ({ gamesBehind }) => gamesBehind,
    }),
    streak: t.int({
      description:
        'Games won in a row, or lost in a row as a negative number; null if the service does not say.',
      resolve: ({ streak }) => streak,
    }),
    stats: t.field({
      type: teamStatRanking,
      nullable: false,
      description: 'All statistics of the team, from which the line was made. Costs nothing more.',
      resolve: ({ stats }) => stats,
    }),
  }),
})

/** The current statistics of a team of a conference; null if it has none. */
async function currentStats(
  team: Handle,
  scope: Known<'organization_id' | 'season'>,
  context: Context,
): Promise<Handle | null> {
  const known = requireScope(scope, 'organization_id', 'division_id', 'season')
  const place = statisticsAt('statistic_ranking', team.entry, known, {
    identity: { team_id: team.entry.key },
  })
  const keys = await read({ loader: answers, operation: operations.getTeamStats }, place, context, field)
  return firstHandle(context.clientRequest, 'statistic_ranking', keys, scope)
}

/**
 * The table of a conference. Without an active plan, the projection contains the current rows. Otherwise each
 * team's current row is loaded.
 */
async function tableOf(
  row: Handle,
  scope: Known<'organization_id' | 'season'>,
  context: Context,
): Promise<readonly Row[] | null> {
  const { clientRequest: request } = context
  const origin = { loader: projections, operation: operations.getConferencePrediction }
  const projected = await read(origin, projectionAt(row.entry, scope), context, field)
  if (!projected) return null
  const rows = await allDone(
    projected.standings.map(async (entry) => {
      const team = entry.column('team_id', request.now)
      if (typeof team !== 'string') return []
      const of = handle(request, 'team', team, scope)
      const own: Handle = { table: 'statistic_ranking', entry, scope }
      const stats = projected.hasAccess ? await currentStats(of, scope, context) : own
      return stats ? [{ team: of, stats, ...recordOf(stats, context) }] : []
    }),
  )
  return standingsOf(rows.flat())
}

function recordOf(stats: Handle, context: Context) {
  const value = (name: string) => {
    const known = statNamed(stats, name, context)?.value
    return known == null ? null : Math.trunc(known)
  }
  return {
    wins: value('wins'),
    losses: value('losses'),
    conferenceWins: value('confwins'),
    conferenceLosses: value('conflosses'),
    streak: value('streak'),
  }
}

builder.objectField(conference, 'standings', (t) =>
  t.field({
    type: [standing],
    nullable: { list: true, items: false },
    cost: costOfSeason,
    listSize: sizeOf('teamsOfConference'),
    description:
      'The table of the conference as it stands, best first. (`projection` is the table as it is expected to end.) Costs the projection, which names the teams, and one `team/getStats` for each team, side by side; with a key without an active plan the projection alone.',
    args: { season: t.arg.int() },
    needs: { into: { link: 'standings' } },
    resolve: async (row, args, context) => {
      const table = async () =>
        tableOf(row, await inSeason(scopeAt(row, args, context), context, field, 'organization_id'), context)
      const found = await table()
      return (await isElsewhere(Boolean(found?.length), row, context, field)) ? table() : found
    },
  }),
)
