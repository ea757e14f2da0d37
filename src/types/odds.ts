import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { free, sizeOf } from '../graph/cost.ts'
import { facet, andThen } from '../graph/facet.ts'
import { handle, handles, scopeFrom } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { defineTable } from '../graph/table.ts'
import type { RowFields } from '../graph/types.ts'
import type { Want } from '../plan/want.ts'
import { lines } from '../loaders/lines.ts'
import type { LineAsk } from '../loaders/lines.ts'
import type { GraphQLResolveInfo } from 'graphql'

const odds = defineTable('odds', 'Odds', {
  description: 'A movement of a game’s line: the market’s odds from one moment to the next.',
  node: true,
})

/** What an ask for a game's lines needs to know of where it stands. */
export function lineAsk(game: Handle, kind: LineAsk['kind'], { client: request, defaults }: Context) {
  const scope = scopeFrom(game, request)
  return {
    what: `${game.entry.key} ${kind}`,
    key: game.entry.key,
    kind,
    scope: { ...defaults, ...defined(scope) },
  }
}

const defined = (scope: object) =>
  Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== undefined))

/** The scores that bring a prediction bring current odds too, and wait for the game's day. */
const withoutPrediction = ({ facets }: Want) => !facets.has('prediction')

const currentRow = (t: RowFields, name: 'pre' | 'live', description: string) =>
  t.field({
    type: odds,
    nullable: true,
    description,
    needs: { facets: ['current'], apart: withoutPrediction, into: { link: name } },
    resolve: (game, _args, context, info) => {
      const from = {
        source: lines,
        ask: () => lineAsk(game, 'current', context),
        operation: 'game/getScores',
      }
      return andThen(facet<LineAsk, string>(game.entry, name, from, context, info), (key) =>
        key === null ? null : handle(context.client, 'odds', key, scopeFrom(game, context.client)),
      )
    },
  })

function history(game: Handle, context: Context, info: GraphQLResolveInfo) {
  const from = { source: lines, ask: () => lineAsk(game, 'history', context), operation: 'odds/read' }
  return andThen(
    facet<LineAsk, readonly string[]>(game.entry, 'history', from, context, info),
    (keys) => keys && handles(context.client, 'odds', keys, scopeFrom(game, context.client)),
  )
}

/** The odds of one game: the current rows, and every row. */
export const gameOdds = builder.objectRef<Handle>('GameOdds').implement({
  cost: free,
  description: 'The market’s odds on one game.',
  fields: (t) => ({
    pre: currentRow(t, 'pre', 'The current pre-game line; null where there is none.'),
    live: currentRow(t, 'live', 'The current line while the game is under way; null where there is none.'),
    history: t.field({
      type: [odds],
      nullable: { list: true, items: false },
      listSize: sizeOf('lines'),
      description:
        'Every movement of the line, pre-game and live, oldest first. Costs one call for all games that ask.',
      needs: { facets: ['history'], apart: true, into: { link: 'history' } },
      resolve: (game, _args, context, info) => history(game, context, info),
    }),
  }),
})
