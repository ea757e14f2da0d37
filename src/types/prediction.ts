import { builder } from '../graph/builder.ts'
import { facet, andThen } from '../graph/facet.ts'
import { handle, scopeFrom } from '../graph/handle.ts'
import { defineTable } from '../graph/table.ts'
import { game } from './game.ts'
import { lines } from '../loaders/lines.ts'
import type { LineAsk } from '../loaders/lines.ts'
import { lineAsk } from './odds.ts'

const prediction = defineTable('prediction', 'Prediction', {
  description: 'A prediction of one game.',
})

builder.objectField(game, 'prediction', (t) =>
  t.field({
    type: prediction,
    nullable: true,
    description:
      'The current pre-game prediction; null where there is none. Comes with a day’s scores; for games known by id, costs the scores of each day they are played on.',
    needs: { facets: ['prediction'], into: { link: 'prediction' } },
    resolve: (row, _args, context, info) => {
      const from = {
        source: lines,
        ask: () => lineAsk(row, 'prediction', context),
        operation: 'game/getScores',
      }
      return andThen(facet<LineAsk, string>(row.entry, 'prediction', from, context, info), (key) =>
        key === null ? null : handle(context.client, 'prediction', key, scopeFrom(row, context.client)),
      )
    },
  }),
)
