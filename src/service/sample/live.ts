import type { Database } from '../store/database.ts'
import { Ticker } from './ticker.ts'

/** The live sample league. */
export interface LiveLeague {
  /**
   * Updates the database to the clock's time in one transaction. Repeated at the same time, it changes
   * nothing.
   */
  advance(): Promise<void>
  /** Stops the timer after the current write. */
  stop(): Promise<void>
}

export interface LiveOptions {
  /** Milliseconds between updates; 0 leaves them to the caller. */
  readonly every?: number
  /** Called when an update of the timer fails. The next one catches up. */
  readonly onError?: (error: unknown) => void
}

const EVERY = 5_000

/** Keeps the sample league of a database up to date with a clock of milliseconds since 1970. */
export function liveLeague(
  database: Database,
  clock: () => number,
  { every = EVERY, onError = () => {} }: LiveOptions = {},
): LiveLeague {
  const ticker = new Ticker(database, clock)
  let turn: Promise<void> = Promise.resolve()
  const advance = () => {
    const next = turn.then(() => ticker.tick())
    turn = next.catch(() => {})
    return next
  }
  const timer = every > 0 ? setInterval(() => void advance().catch(onError), every).unref() : undefined
  const stop = () => {
    clearInterval(timer)
    return turn
  }
  return { advance, stop }
}
