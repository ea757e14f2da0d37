import { slot } from './slot.ts'

type Keys = readonly string[]

/** What other operations say of a game, as the keys of rows: the current prediction and odds, one or none, and every movement. */
export const gameSlots = {
  /** The pre-game prediction does not move while the game is played. */
  prediction: slot<Keys>('prediction', (judge, game) => judge.game(game.key).prediction),
  pre: slot<Keys>('pre', (judge, game) => judge.game(game.key)),
  live: slot<Keys>('live', (judge, game) => judge.game(game.key)),
  /** Oldest first. */
  history: slot<Keys>('history', (judge, game) => judge.game(game.key)),
} as const

export type GameSlot = keyof typeof gameSlots
