import { AsyncResource } from 'node:async_hooks'
import { BudgetExceededError, TimeoutError, UnsentError } from './errors.ts'

/** One operation's calls: running and waiting. */
interface Line {
  running: number
  readonly waiting: Waiting[]
  /** When a call last ended other than by a timeout, and when one last timed out. */
  heardAt: number
  silentAt: number
}

interface Waiting {
  /** Whether it may run in parallel with others of its operation. */
  readonly mayJoin: () => boolean
  readonly start: () => void
}

/**
 * Limits a key's parallel calls. One operation may use three quarters of the slots that the others leave, so
 * that an operation whose calls hang does not block the others. Queued calls fail at once if since then all
 * calls of their operation have timed out.
 */
export class ConcurrencyLimiter {
  readonly #width: number
  #running = 0
  #whenIdle: (() => void)[] = []
  readonly #lines = new Map<string, Line>()

  constructor(width: number) {
    this.#width = width
  }

  /**
   * Makes a call when a slot is free. Throws UnsentError if meanwhile all calls of its operation have timed
   * out.
   */
  run<T>(operation: string, call: () => Promise<T>, mayJoin: () => boolean = () => true): Promise<T> {
    const line = this.#lineOf(operation)
    if (line.waiting.length === 0 && this.#mayStart(line, mayJoin)) return this.#watched(line, call)
    const asked = performance.now()
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        if (line.silentAt >= asked && line.heardAt < asked)
          return reject(new UnsentError('The statistics service did not answer in time.'))
        this.#watched(line, call).then(resolve, reject)
      }
      // The call keeps its own trace, although it starts when another one ends.
      line.waiting.push({ mayJoin, start: AsyncResource.bind(start) })
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
      const [first] = line.waiting
      if (!first || !this.#mayStart(line, first.mayJoin)) return started
      line.waiting.shift()
      started += 1
      first.start()
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
        waiting: [],
        heardAt: Number.NEGATIVE_INFINITY,
        silentAt: Number.NEGATIVE_INFINITY,
      }
      this.#lines.set(operation, line)
    }
    return line
  }
}
