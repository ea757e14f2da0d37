import type { Handle } from '../graph/handle.ts'
import { gameSlots } from '../rows/game-slots.ts'
import { scoreColumns } from '../specification/operations.ts'
import type { ClientRequest } from '../account/client-request.ts'

/**
 * A game's state as a poll found it. All subscribers share one object, so that results made of it can be
 * shared too.
 */
export class GameSnapshot {
  readonly game: Handle
  /** All columns whose change is an event, as text. */
  readonly state: string
  /** The current pre-game and live lines as they were last known: the key and the content of each. */
  readonly lines: readonly Line[]

  constructor(game: Handle, state: string, lines: readonly Line[]) {
    this.game = game
    this.state = state
    this.lines = lines
  }
}

interface Line {
  readonly name: 'pre' | 'live'
  readonly key: string
  readonly state: string
}

/** A game's current state; null if the service no longer has the game. */
export function snapshotOf(game: Handle, { now, account }: ClientRequest): GameSnapshot | null {
  const { entry } = game
  if (entry.isMissing(now)) return null
  const lines = (['pre', 'live'] as const).flatMap((name) => {
    const [key] = gameSlots[name].last(entry) ?? []
    return key === undefined
      ? []
      : [{ name, key, state: JSON.stringify(account.rows.entry('odds', key).columns(0)) }]
  })
  const columns = scoreColumns.map((column) => entry.column(column, now))
  return new GameSnapshot(game, JSON.stringify([columns, lines]), lines)
}
