import { lineColumns, lineResult, resultColumns } from '../derived/lines.ts'
import type { ClosingLine, LineResult } from '../derived/lines.ts'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { free, oneRow } from '../graph/cost.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { Given, relation } from '../graph/relation.ts'
import { typedRow } from '../graph/typed-row.ts'
import { linePlace, lines } from '../loaders/lines.ts'
import { isFinalStatus } from '../specification/game-status.ts'
import { operations } from '../specification/operations.ts'
import { game } from './game.ts'
import { currentRow, withoutPrediction } from './odds.ts'

const spreadResult = builder.enumType('SpreadResult', {
  description: 'Which side beat the spread.',
  values: {
    HOME: { description: 'The home team won by more than the spread, or lost by less.' },
    AWAY: { description: 'The visiting team beat the spread.' },
    PUSH: { description: 'The margin was exactly the spread.' },
  },
})

const totalResult = builder.enumType('TotalResult', {
  description: 'On which side of its line a total of points fell.',
  values: {
    OVER: { description: 'More points than the line.' },
    UNDER: { description: 'Fewer points than the line.' },
    PUSH: { description: 'Exactly as many points as the line.' },
  },
})

const result = builder.objectRef<LineResult>('LineResult').implement({
  cost: free,
  description: 'How a finished game came out against its closing line, the last pre-game one.',
  fields: (t) => ({
    spread: t.field({
      type: spreadResult,
      description: 'Who beat the spread; null if the line has none.',
      resolve: ({ spread }) => spread,
    }),
    spreadMargin: t.float({
      description:
        'How many points better than the spread the home team finished: 2.5 if it was favoured by 7.5 and won by 10; negative if it did not beat the spread. Null if the line has no spread.',
      resolve: ({ spreadMargin }) => spreadMargin,
    }),
    total: t.field({
      type: totalResult,
      description: 'Whether both teams’ points were over or under the line; null if the line has no total.',
      resolve: ({ total }) => total,
    }),
    totalMargin: t.float({
      description: 'Points of both teams minus the line; null if the line has no total.',
      resolve: ({ totalMargin }) => totalMargin,
    }),
  }),
})

/** The columns of a closing line that results need; null if there is no line. */
export function closingLine(
  keys: readonly string[] | null,
  row: Handle,
  context: Context,
  field: string,
): MaybePromise<ClosingLine | null> {
  const line = currentRow(keys, 'odds', row, context)
  return line && typedRow('odds', line, lineColumns, context, field)
}

builder.objectField(game, 'lineResult', (t) =>
  t.field({
    type: result,
    nullable: true,
    cost: oneRow,
    description:
      'The result against the closing line; null until the game is final, and if it had no line. Costs as much as the game’s score and `odds { pre }`: nothing more in the scores of a day.',
    ...relation({
      needs: {
        columns: resultColumns,
        relations: ['current'],
        byKeyAlone: withoutPrediction,
        besideColumns: true,
        into: { link: 'lineResult' },
      },
      loader: lines,
      operation: operations.getScores,
      place: (row: Handle, _args: object, context) => {
        const status = row.entry.column('status', context.clientRequest.now)
        const isOpen = status !== undefined && !isFinalStatus(status)
        return isOpen ? new Given<LineResult | null>(null) : linePlace(row, 'pre', context)
      },
      answer: (keys, _place, context, row): MaybePromise<LineResult | null> =>
        andThen(
          closingLine(keys, row, context, 'Game.lineResult'),
          (line) =>
            line &&
            andThen(typedRow('game', row, resultColumns, context, 'Game.lineResult'), (known) =>
              lineResult(known, line),
            ),
        ),
    }),
  }),
)
