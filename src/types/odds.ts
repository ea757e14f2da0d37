import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { free, sizeOf } from '../graph/cost.ts'
import { handle, handles, scopeFrom } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { relation } from '../graph/relation.ts'
import { defineTable } from '../graph/table.ts'
import type { RowFields } from '../graph/types.ts'
import { linePlace, lines } from '../loaders/lines.ts'
import type { Selection } from '../plan/selection.ts'
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
  { client }: Context,
): Handle<T> | null {
  const [key] = keys ?? []
  return key === undefined ? null : handle(client, table, key, scopeFrom(game, client))
}

/** The scores that bring a prediction bring current odds too, and wait for the game's day. */
export const withoutPrediction = ({ facets }: Selection) => !facets.has('prediction')

const currentLine = (t: RowFields, line: 'pre' | 'live', description: string) =>
  t.field({
    type: odds,
    nullable: true,
    description,
    ...relation({
      needs: { facets: ['current'], apart: withoutPrediction, into: { link: line } },
      loader: lines,
      operation: operations.getScores,
      place: (game: Handle, _args: object, context) => linePlace(game, line, context),
      answer: (keys, _place, context, game) => currentRow(keys, 'odds', game, context),
    }),
  })

/** The odds of one game: the current rows, and every row. */
export const gameOdds = builder.objectRef<Handle>('GameOdds').implement({
  cost: free,
  description: 'The betting odds on one game.',
  fields: (t) => ({
    pre: currentLine(t, 'pre', 'The current pre-game line; null if there is none.'),
    live: currentLine(t, 'live', 'The current line while the game is under way; null if there is none.'),
    history: t.field({
      type: [odds],
      nullable: { list: true, items: false },
      listSize: sizeOf('lines'),
      description:
        'All movements of the line, pre-game and live, oldest first. Costs one call for all games of the query.',
      ...relation({
        needs: { facets: ['history'], apart: true, into: { link: 'history' } },
        loader: lines,
        operation: operations.readOdds,
        place: (game: Handle, _args: object, context) => linePlace(game, 'history', context),
        answer: (keys, _place, { client }, game) =>
          keys && handles(client, 'odds', keys, scopeFrom(game, client)),
      }),
    }),
  }),
})
