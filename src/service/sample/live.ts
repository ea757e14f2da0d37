import type { Database } from '../store/database.ts'
import { Ticker } from './ticker.ts'

/** The sample league as time goes by. */
export interface LiveLeague {
  /** Brings the database to the clock's time, in one transaction; at the same time again, it changes nothing. */
  advance(): Promise<void>
  /** Ends the timer, once what is being written is written. */
  stop(): Promise<void>
}

export interface LiveOptions {
  /** Milliseconds from one advance to the next; 0 leaves it to the caller. */
  readonly every?: number
  /** Told of an advance of the timer that failed. The next one makes up for it. */
  readonly onError?: (error: unknown) => void
}

const EVERY = 5_000

/** Lets the sample league of a database live by a clock that gives milliseconds since 1970. */
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
