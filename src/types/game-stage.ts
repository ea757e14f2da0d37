import { builder } from '../graph/builder.ts'
import { fieldName } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { typedRow } from '../graph/typed-row.ts'
import { stageColumns, stageOf } from '../rows/game-stage.ts'
import { timeOf } from '../rows/moment.ts'
import { game } from './game.ts'

export const gameStatus = builder.enumType('GameStatus', {
  description:
    'The stage of a game. Statistics services use many words for it; these five cover all of them.',
  values: {
    SCHEDULED: { description: 'It has not begun.' },
    LIVE: { description: 'It is being played.' },
    FINAL: { description: 'It is over and was played.' },
    POSTPONED: { description: 'It is to be played later.' },
    CANCELLED: { description: 'It was called off and will not be played.' },
  },
})

builder.objectField(game, 'stage', (t) =>
  t.field({
    type: gameStatus,
    nullable: true,
    description:
      'The stage of the game, one of five words for all statuses of services. Comes with the score. Null if the service does not say.',
    needs: { columns: stageColumns },
    resolve: (row, _args, context, info) =>
      andThen(typedRow('game', row, stageColumns, context, fieldName(info)), (score) =>
        Object.values(score).every((value) => value === null)
          ? null
          : stageOf(
              { ...score, start_datetime: row.entry.column('start_datetime', 0) },
              timeOf(context.clientRequest.now),
            ),
      ),
  }),
)
