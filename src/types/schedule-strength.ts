import type { StrengthOfSchedule } from '../derived/schedule.ts'
import { builder } from '../graph/builder.ts'
import { costOfSeason, free } from '../graph/cost.ts'
import { fieldName } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { strengths } from '../loaders/strengths.ts'
import { inSeason } from './season.ts'
import { scopeAt, team } from './team.ts'

const strength = builder.objectRef<StrengthOfSchedule>('ScheduleStrength').implement({
  cost: free,
  description:
    'How strong a team’s opponents are: the mean of their current Elo ratings. An opponent counts once for each meeting.',
  fields: (t) => ({
    played: t.float({
      description: 'Over finished games, in Elo points; null if no opponent has a rating.',
      resolve: ({ played }) => played,
    }),
    remaining: t.float({
      description: 'Over games under way and to come, in Elo points; null if there are none.',
      resolve: ({ remaining }) => remaining,
    }),
  }),
})

builder.objectField(team, 'scheduleStrength', (t) =>
  t.field({
    type: strength,
    nullable: true,
    cost: costOfSeason,
    description:
      'The strength of the team’s schedule of a season. Costs its games, two `game/read`, and one `elo/read`: of the opponents, or of the whole league side by side if that saves a round trip and costs little more.',
    args: { season: t.arg.int() },
    needs: { into: { link: 'scheduleStrength' } },
    resolve: (row, args, context, info) => {
      const field = fieldName(info)
      return andThen(inSeason(scopeAt(row, args, context), context, field), (scope) =>
        strengths.load({ request: context.clientRequest, field, wanted: { team: row.entry, scope } }),
      )
    },
  }),
)
