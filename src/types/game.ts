import { builder } from '../graph/builder.ts'
import { byLevel } from '../graph/by-level.ts'
import { sizeOf } from '../graph/cost.ts'
import { fieldName } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { relation } from '../graph/relation.ts'
import { defineLookup } from '../graph/roots.ts'
import { convert } from '../graph/conversions.ts'
import { selectionOf } from '../graph/selection.ts'
import { defineTable } from '../graph/table.ts'
import { typeOf } from '../graph/types.ts'
import { dayAt, inOrder, scheduleOrigin } from '../loaders/schedule-places.ts'
import type { Selection } from '../plan/selection.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { league } from './league.ts'
import type { League } from './league.ts'
import { gameOdds } from './odds.ts'

export const game = defineTable('game', 'Game', {
  description:
    'A game: to come, being played, or over. Its columns are one row, which comes with the list that the game was found in. It sets the scope: what is selected below it, such as its teams’ statistics, is of its own league and season. While it is played, rows are at most 15 seconds old; once it is final, they are kept and cost nothing again.',
  node: true,
  links: (t) => ({
    startSeconds: t.float({
      description: 'When the game starts, in Unix seconds: a whole number, of any year.',
      needs: { columns: ['start_timestamp'] },
      column: { name: 'start_timestamp', convert: convert.number },
      resolve: byLevel<Handle, object, number | null>(),
    }),
    odds: t.field({
      type: gameOdds,
      nullable: true,
      description: 'The betting odds on the game. Costs nothing by itself; its fields do.',
      needs: { into: 'self' },
      resolve: (row) => row,
    }),
  }),
})

defineLookup('game', 'game', 'games')

/** Where the games of a league's day are stored, and what a query needs of them. */
export const dayPlace = (
  { scope, entry }: League,
  date: string,
  selection: Selection,
  request: ClientRequest,
) => dayAt(entry, scope, date, selection, request)

builder.objectField(league, 'games', (t) =>
  t.field({
    type: [typeOf('game')],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfDay'),
    description:
      'The games of a day, of today if no `date` is given, by start time; games without one are last. Costs one call: `game/getScores` if only scores, clock, prediction and current odds are selected, else `game/getGames`, which includes both teams. If the selection needs both, they are sent side by side; without the teams’ columns, `game/getScores` and then `game/read` of its games if that is expected to save more than a quarter.',
    args: {
      date: t.arg({ type: 'Date', description: '`YYYY-MM-DD`; by default today in the league’s time zone.' }),
    },
    ...relation({
      ...scheduleOrigin,
      needs: {},
      place: (row: League, { date }: { readonly date?: string | null }, { clientRequest: request }, info) =>
        dayPlace(row, date ?? request.today(), selectionOf(info), request),
      answer: (keys, place, context, _row, _args, info) =>
        inOrder(keys, place, context, fieldName(info), info),
    }),
  }),
)
