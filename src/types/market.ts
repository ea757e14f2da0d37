import {
  edgeLineColumns,
  edgeOf,
  marketChances,
  moneyColumns,
  predictionColumns,
} from '../derived/probability.ts'
import type { Edge, MarketChances } from '../derived/probability.ts'
import { builder } from '../graph/builder.ts'
import { free, oneRow } from '../graph/cost.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { read } from '../graph/place.ts'
import { relation } from '../graph/relation.ts'
import { typedRow } from '../graph/typed-row.ts'
import { linePlace, lines } from '../loaders/lines.ts'
import { operations } from '../specification/operations.ts'
import { game } from './game.ts'
import { currentRow, odds } from './odds.ts'

const probability = builder.objectRef<MarketChances>('ImpliedProbability').implement({
  cost: free,
  description: 'The probabilities that two money lines imply, without the bookmaker’s share.',
  fields: (t) => ({
    home: t.float({
      nullable: false,
      description: 'The chance of a home win, 0 to 1. Both chances sum to 1.',
      resolve: ({ home }) => home,
    }),
    away: t.float({
      nullable: false,
      description: 'The chance of an away win, 0 to 1.',
      resolve: ({ away }) => away,
    }),
    vig: t.float({
      nullable: false,
      description: 'The bookmaker’s share: by how much the two chances together were above 1 before.',
      resolve: ({ vig }) => vig,
    }),
  }),
})

builder.objectField(odds, 'impliedProbability', (t) =>
  t.field({
    type: probability,
    nullable: true,
    description:
      'The win probabilities that the money lines imply; null if one of them is missing. Costs nothing more.',
    needs: { columns: moneyColumns },
    resolve: (row, _args, context) =>
      andThen(typedRow('odds', row, moneyColumns, context, 'Odds.impliedProbability'), marketChances),
  }),
)

const edge = builder.objectRef<Edge>('PredictionEdge').implement({
  cost: free,
  description: 'The prediction of a game minus its pre-game line.',
  fields: (t) => ({
    home: t.float({
      description:
        'The predicted chance of a home win minus the implied one, −1 to 1. Above 0, the prediction rates the home team higher than the market does. Null if the prediction or a money line is missing.',
      resolve: ({ home }) => home,
    }),
    away: t.float({
      description: 'The same of the visiting team. Both sum to 0.',
      resolve: ({ away }) => away,
    }),
    spread: t.float({
      description:
        'The predicted margin of the home team minus the margin that the spread implies, in points. Null if a score or the spread is missing.',
      resolve: ({ spread }) => spread,
    }),
    total: t.float({
      description:
        'The predicted points of both teams minus the line. Null if a score or the line is missing.',
      resolve: ({ total }) => total,
    }),
  }),
})

const field = 'Game.predictionEdge'

builder.objectField(game, 'predictionEdge', (t) =>
  t.field({
    type: edge,
    nullable: true,
    cost: 2 * oneRow,
    description:
      'The current prediction minus the current pre-game line; null if either is missing. Costs as much as both: nothing more in the scores of a day.',
    ...relation({
      needs: { relations: ['prediction', 'current'], into: { link: 'predictionEdge' } },
      loader: lines,
      operation: operations.getScores,
      place: (row: Handle, _args: object, context) => linePlace(row, 'prediction', context),
      answer: (keys, _place, context, row): MaybePromise<Edge | null> => {
        const prediction = currentRow(keys, 'prediction', row, context)
        if (!prediction) return null
        const origin = { loader: lines, operation: operations.getScores }
        return andThen(read(origin, linePlace(row, 'pre', context), context, field), (pre) => {
          const line = currentRow(pre, 'odds', row, context)
          if (!line) return null
          return andThen(typedRow('prediction', prediction, predictionColumns, context, field), (predicted) =>
            andThen(typedRow('odds', line, edgeLineColumns, context, field), (known) =>
              edgeOf(predicted, known),
            ),
          )
        })
      },
    }),
  }),
)
