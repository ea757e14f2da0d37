import { lastGames, scheduleColumns, until } from '../derived/schedule.ts'
import type { Stretch } from '../derived/schedule.ts'
import { builder } from '../graph/builder.ts'
import { costOfSeason, free } from '../graph/cost.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { relation } from '../graph/relation.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { allOf, typedRow } from '../graph/typed-row.ts'
import { scheduled, scheduleOrigin, seasonAt } from '../loaders/schedule-places.ts'
import { nothing } from '../plan/selection.ts'
import { BadUserInputError } from '../errors/errors.ts'
import { inSeason } from './season.ts'
import { scopeAt, team } from './team.ts'

const form = builder.objectRef<Stretch>('Form').implement({
  cost: free,
  description: 'A team’s latest finished games, summed up.',
  fields: (t) => ({
    games: t.int({
      nullable: false,
      description: 'The number of games; early in a season fewer than requested.',
      resolve: ({ games }) => games,
    }),
    wins: t.int({
      nullable: false,
      description: 'Games won. A draw is neither won nor lost.',
      resolve: ({ wins }) => wins,
    }),
    losses: t.int({ nullable: false, description: 'Games lost.', resolve: ({ losses }) => losses }),
    points: t.float({
      description: 'Points scored per game; null without a game.',
      resolve: ({ points }) => points,
    }),
    opponentPoints: t.float({
      description: 'Points allowed per game; null without a game.',
      resolve: ({ allowed }) => allowed,
    }),
    margin: t.float({
      description: 'Points scored minus points allowed, per game; null without a game.',
      resolve: ({ margin }) => margin,
    }),
  }),
})

interface FormArguments extends ScopeArguments {
  readonly games: number
  readonly to?: string | null | undefined
}

const selection = { ...nothing, columns: new Set(scheduleColumns) }

builder.objectField(team, 'form', (t) =>
  t.field({
    type: form,
    nullable: true,
    cost: costOfSeason,
    description:
      'The team’s last finished games of a season. Costs its games of the season: two `game/read` side by side, whatever number is asked for.',
    args: {
      games: t.arg.int({
        required: true,
        defaultValue: 5,
        description: 'How many games, for example 5 or 10.',
      }),
      season: t.arg.int(),
      to: t.arg({
        type: 'Date',
        description:
          'Only games on this day or earlier: with the day before a game, the form in which the team came to it.',
      }),
    },
    ...relation({
      ...scheduleOrigin,
      needs: { into: { link: 'form' } },
      place: (row: Handle, { games, to: _to, ...args }: FormArguments, context) => {
        if (games < 1) throw new BadUserInputError('`games` must be at least 1.')
        return andThen(inSeason(scopeAt(row, args, context), context, 'Team.form'), (scope) =>
          seasonAt(row.entry, scope, selection, context.clientRequest),
        )
      },
      answer: (keys, place, context, { entry }, { games, to }) => {
        const rows = scheduled(keys, place, context).map((game) =>
          typedRow('game', game, scheduleColumns, context, 'Team.form'),
        )
        return andThen(allOf(rows), (known): Stretch => lastGames(entry.key, until(to ?? null, known), games))
      },
    }),
  }),
)
