import { builder } from '../graph/builder.ts'
import type { Handle } from '../graph/handle.ts'
import { relation } from '../graph/relation.ts'
import { defineTable } from '../graph/table.ts'
import { linePlace, lines } from '../loaders/lines.ts'
import { operations } from '../specification/operations.ts'
import { game } from './game.ts'
import { currentRow } from './odds.ts'

const prediction = defineTable('prediction', 'Prediction', {
  description:
    'A prediction of one game’s result: what the service expects of both teams. Its columns come with it and cost nothing more.',
})

builder.objectField(game, 'prediction', (t) =>
  t.field({
    type: prediction,
    nullable: true,
    description:
      'The current pre-game prediction; null if there is none. Comes with the scores of a day. For games selected by id, it costs the scores of each of their days.',
    ...relation({
      needs: { relations: ['prediction'], into: { link: 'prediction' } },
      loader: lines,
      operation: operations.getScores,
      place: (row: Handle, _args: object, context) => linePlace(row, 'prediction', context),
      answer: (keys, _place, context, row) => currentRow(keys, 'prediction', row, context),
    }),
  }),
)
