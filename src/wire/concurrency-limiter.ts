import { AsyncResource } from 'node:async_hooks'
import type { Deadline } from './deadline.ts'
import { BudgetExceededError, TimeoutError, UnsentError } from '../errors/errors.ts'
import { Turns } from './request-turns.ts'
import type { Queued } from './request-turns.ts'
import type { Waiters } from './waiters.ts'

/** One operation's calls: running and waiting. */
interface Line {
  running: number
  readonly turns: Turns
  /** When a call last ended other than by a timeout, and when one last timed out. */
  heardAt: number
  silentAt: number
}

/** What the limiter has to know of a call. */
interface Limited {
  readonly operation: string
  /** The requests that take turns. */
  readonly waiters: Waiters
  /** The end of the call's time, which passes while it waits too; null if it may wait without end. */
  readonly deadline: Deadline | null
  /** Whether it may run in parallel with others of its operation. */
  readonly mayJoin: () => boolean
}

const silent = 'The statistics service did not answer in time.'
const crowded = 'Too many calls waited for the statistics service, so this one was not sent in time.'

/**
 * Limits a key's parallel calls. One operation may use three quarters of the slots that the others leave, so
 * that an operation whose calls hang does not block the others. The requests that wait for an operation take
 * turns. Queued calls fail without being sent when their time is over or too short for an answer, and if since
 * then all calls of their operation have timed out.
 */
export class ConcurrencyLimiter {
  readonly #width: number
  #running = 0
  #whenIdle: (() => void)[] = []
  readonly #lines = new Map<string, Line>()

  constructor(width: number) {
    this.#width = width
  }

  /** Makes a call when a slot is free. Throws UnsentError if it fails before. */
  run<T>(limited: Limited, call: () => Promise<T>): Promise<T> {
    const line = this.#lineOf(limited.operation)
    if (!line.turns.next && this.#mayStart(line, limited.mayJoin)) return this.#watched(line, call)
    return this.#queued(line, limited, call)
  }

  #queued<T>(line: Line, { waiters, deadline, mayJoin }: Limited, call: () => Promise<T>): Promise<T> {
    const asked = performance.now()
    const isSilent = () => line.silentAt >= asked && line.heardAt < asked
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        queued.start = null
        waiters.leave(enqueue)
      }
      const fail = () => {
        leave()
        reject(new UnsentError(isSilent() ? silent : crowded))
      }
      const start = () => {
        if (isSilent() || deadline?.isNearlyOver) return fail()
        leave()
        this.#watched(line, call).then(resolve, reject)
      }
      // The call keeps its own trace, although it starts when another one ends. `AsyncResource.bind` takes 24 µs.
      const trace = new AsyncResource('QueuedCall')
      const queued: Queued = { mayJoin, start: () => trace.runInAsyncScope(start) }
      const enqueue = (request: object) => {
        // What one request has waited is not the other's time.
        deadline?.renew()
        line.turns.add(request, queued)
      }
      waiters.queue(enqueue)
      deadline?.onOver(() => queued.start && fail())
    })
  }

  /** Runs `act` when no call runs or waits: now, or after the last one. */
  whenIdle(act: () => void): void {
    if (this.#running === 0) act()
    else this.#whenIdle.push(act)
  }

  async #watched<T>(line: Line, call: () => Promise<T>): Promise<T> {
    line.running += 1
    this.#running += 1
    try {
      const answer = await call()
      line.heardAt = performance.now()
      return answer
    } catch (error) {
      if (error instanceof TimeoutError) line.silentAt = performance.now()
      else if (!(error instanceof BudgetExceededError)) line.heardAt = performance.now()
      throw error
    } finally {
      line.running -= 1
      this.#running -= 1
      this.#startAll()
      if (this.#running === 0) for (const act of this.#whenIdle.splice(0)) act()
    }
  }

  /**
   * Starts waiting calls. Operations take turns, the one that has waited longest first, so that freed slots
   * are shared.
   */
  #startAll(): void {
    for (const [operation, line] of this.#lines) {
      const started = this.#startWaiting(line)
      if (started === 0) continue
      this.#lines.delete(operation)
      this.#lines.set(operation, line)
    }
  }

  #startWaiting(line: Line): number {
    let started = 0
    for (;;) {
      const { next } = line.turns
      if (!next || !this.#mayStart(line, next.mayJoin)) return started
      line.turns.pass()
      started += 1
      next.start?.()
    }
  }

  #mayStart(line: Line, mayJoin: () => boolean): boolean {
    return this.#hasSlot(line) && (line.running === 0 || mayJoin())
  }

  /** A limit of one or two is too small to keep a slot free. */
  #hasSlot({ running }: Line): boolean {
    if (this.#running >= this.#width) return false
    const left = this.#width - (this.#running - running)
    return this.#width <= 2 || running < Math.max(1, Math.floor((left * 3) / 4))
  }

  #lineOf(operation: string): Line {
    let line = this.#lines.get(operation)
    if (!line) {
      line = {
        running: 0,
        turns: new Turns(),
        heardAt: Number.NEGATIVE_INFINITY,
        silentAt: Number.NEGATIVE_INFINITY,
      }
      this.#lines.set(operation, line)
    }
    return line
  }
}
