import type { OperationClass } from './operation.ts'
import { getRow, readRows, table } from './table.ts'

/** One side of one game, or rows selected by any further arguments (specification §4, readBoxscore). */
export const boxscore: OperationClass = {
  ...table('boxscore'),
  getBoxscore: getRow('boxscore', { requires: [[['boxscore_id'], ['organization_id']]] }),
  readBoxscore: readRows('boxscore', { requires: ['organization_id'] }),
}

export const player_boxscore: OperationClass = {
  ...table('player_boxscore'),
  getPlayerBoxscore: getRow('player_boxscore', {
    requires: [[['player_boxscore_id'], ['organization_id', 'game_id', 'player_id']]],
  }),
}
