import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { free, sizeOf } from '../graph/cost.ts'
import { handle, handles, scopeFrom } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { Given, relation } from '../graph/relation.ts'
import { defineTable } from '../graph/table.ts'
import { typedRow } from '../graph/typed-row.ts'
import type { RowFields } from '../graph/types.ts'
import { linePlace, lines } from '../loaders/lines.ts'
import type { Selection } from '../plan/selection.ts'
import { hasBegun, cachedStage, stageColumns, stageOf } from '../rows/game-stage.ts'
import { timeOf } from '../rows/moment.ts'
import type { TableName } from '../specification/tables.ts'
import { operations } from '../specification/operations.ts'

export const odds = defineTable('odds', 'Odds', {
  description: 'One movement of a game’s betting line: the odds until the next movement.',
  node: true,
})

/** The row of a current line or prediction. */
export function currentRow<T extends TableName>(
  keys: readonly string[] | null,
  table: T,
  game: Handle,
  { clientRequest: request }: Context,
): Handle<T> | null {
  const [key] = keys ?? []
  return key === undefined ? null : handle(request, table, key, scopeFrom(game, request))
}

/** The scores that bring a prediction also bring current odds. They need the game's day. */
export const withoutPrediction = ({ relations }: Selection) => !relations.has('prediction')

const currentLine = (t: RowFields, line: 'pre' | 'live', description: string) =>
  t.field({
    type: odds,
    nullable: true,
    description,
    ...relation({
      needs: { relations: ['current'], byKeyAlone: withoutPrediction, into: { link: line } },
      loader: lines,
      operation: operations.getScores,
      place: (game: Handle, _args: object, context) => linePlace(game, line, context),
      answer: (keys, _place, context, game) => currentRow(keys, 'odds', game, context),
    }),
  })

/** Whether a game may have begun. */
function mayHaveBegun({ entry }: Handle, { clientRequest: { now } }: Context): boolean {
  const stage = cachedStage(entry, now)
  return stage === null || hasBegun(stage)
}

/** The odds of one game: the current rows and the history. */
export const gameOdds = builder.objectRef<Handle>('GameOdds').implement({
  cost: free,
  description: 'The betting odds on one game.',
  fields: (t) => ({
    pre: currentLine(
      t,
      'pre',
      'The pre-game line: before the start the current one, which still moves; from the start on it stays as it was, and is the closing line. Null if there is none. Comes with the scores of a day at no extra cost; for games selected by id, the cheaper of their movements and the scores of their days.',
    ),
    live: currentLine(
      t,
      'live',
      'The line while the game is played; it stays as it was after the end. Null before the start, and if there is none. Costs as much as `pre`, together with it.',
    ),
    closing: t.field({
      type: odds,
      nullable: true,
      description:
        'The closing line: the last one before the start. Null until the game has begun, then the same row as `pre`, and if there was no line. Costs as much as `pre`, and the game’s status, which scores have.',
      ...relation({
        needs: {
          columns: stageColumns,
          relations: ['current'],
          byKeyAlone: withoutPrediction,
          besideColumns: true,
          into: { link: 'closing' },
        },
        loader: lines,
        operation: operations.getScores,
        place: (game: Handle, _args: object, context) =>
          mayHaveBegun(game, context)
            ? linePlace(game, 'pre', context)
            : new Given<Handle<'odds'> | null>(null),
        answer: (keys, _place, context, game): MaybePromise<Handle<'odds'> | null> =>
          andThen(typedRow('game', game, stageColumns, context, 'GameOdds.closing'), (row) =>
            hasBegun(stageOf(row, timeOf(context.clientRequest.now)))
              ? currentRow(keys, 'odds', game, context)
              : null,
          ),
      }),
    }),
    history: t.field({
      type: [odds],
      nullable: { list: true, items: false },
      listSize: sizeOf('lines'),
      description:
        'All movements of the line, pre-game and live, oldest first. Costs one call for all games of the query.',
      ...relation({
        needs: { relations: ['history'], byKeyAlone: true, into: { link: 'history' } },
        loader: lines,
        operation: operations.readOdds,
        place: (game: Handle, _args: object, context) => linePlace(game, 'history', context),
        answer: (keys, _place, { clientRequest: request }, game) =>
          keys && handles(request, 'odds', keys, scopeFrom(game, request)),
      }),
    }),
  }),
})
