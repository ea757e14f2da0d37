import { fourFactors } from '../derived/four-factors.ts'
import type { FourFactors, TeamFactors } from '../derived/four-factors.ts'
import { builder } from '../graph/builder.ts'
import { free } from '../graph/cost.ts'
import { convert } from '../graph/conversions.ts'
import { conferenceStatRanking, leagueStatRanking, teamStatRanking } from './stat-ranking.ts'

const factors = builder.objectRef<FourFactors>('FourFactors').implement({
  cost: free,
  description: 'The four factors that decide basketball games (Dean Oliver). Shares are 0 to 100.',
  fields: (t) => ({
    effectiveFieldGoalPercentage: t.float({
      description:
        'Field goals in percent of attempts, threes counting half as much again. Null if a column is missing.',
      resolve: (row) => row.effectiveFieldGoalPercentage,
    }),
    turnoverPercentage: t.float({
      description: 'Turnovers in 100 possessions. Null if a column is missing.',
      resolve: (row) => row.turnoverPercentage,
    }),
    offensiveReboundPercentage: t.float({
      description:
        'Own rebounds in percent of all rebounds under the opponents’ basket. Null if a column is missing.',
      resolve: (row) => row.offensiveReboundPercentage,
    }),
    freeThrowRate: t.float({
      description: 'Free throws made for 100 field goal attempts. Null if a column is missing.',
      resolve: (row) => row.freeThrowRate,
    }),
  }),
})

const both = builder.objectRef<TeamFactors>('TeamFourFactors').implement({
  cost: free,
  description: 'The four factors of both sides.',
  fields: (t) => ({
    own: t.field({
      type: factors,
      nullable: false,
      description: 'The team’s own.',
      resolve: ({ own }) => own,
    }),
    opponent: t.field({
      type: factors,
      nullable: false,
      description: 'The opponents’ factors against it: lower is better, except for turnovers.',
      resolve: ({ opponent }) => opponent,
    }),
  }),
})

for (const type of [teamStatRanking, conferenceStatRanking, leagueStatRanking])
  builder.objectField(type, 'fourFactors', (t) =>
    t.field({
      type: both,
      nullable: true,
      description:
        'The four factors, from the averages of this row; null for a sport other than basketball. Costs nothing more.',
      // Any column will do, because all of a row are equally fresh.
      needs: { columns: ['deleted'] },
      resolve: ({ entry }, _args, { clientRequest: request }) =>
        fourFactors((name) => convert.number(entry.column(name, request.now))),
    }),
  )
