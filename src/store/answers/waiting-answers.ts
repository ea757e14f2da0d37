import { getHeapStatistics } from 'node:v8'
import { storedName } from '../../account/answer-store.ts'
import type { Bought } from '../../account/answer-store.ts'
import { pack } from './packing.ts'
import { RedisAwayError } from '../redis/connection.ts'

/** Maximum answers that wait while Redis is away. */
const mostWaiting = 2_000

/** Maximum bytes of them: a sixteenth of the heap, at most 64 MiB. */
const mostBytes = Math.floor(Math.min(67_108_864, getHeapStatistics().heap_size_limit / 16))

/** Bytes of an answer beside its text and its name. */
const answerBytes = 1_024

/**
 * Bytes that are written at once. More of them would hold up the commands of queries, which share the
 * connection and have a short time limit.
 */
const mostAtOnce = 262_144

/** Writes answers of one account. Rejects with RedisAwayError if Redis is away. */
interface Writer {
  write(answers: readonly Bought[], bodies: readonly Buffer[]): Promise<void>
}

interface Waiting {
  readonly account: Writer
  readonly bought: Bought
  readonly bytes: number
}

/** Answers that could not be written because Redis was away, the latest of each form. */
export class WaitingAnswers {
  readonly #isUp: () => boolean
  readonly #most: number
  readonly #byName = new Map<string, Waiting>()
  #bytes = 0
  #writing: Promise<void> | null = null
  #isClosed = false

  constructor(isUp: () => boolean, most = mostBytes) {
    this.#isUp = isUp
    this.#most = most
  }

  /** If there are too many, the oldest are dropped. */
  add(apiKey: string, account: Writer, bought: Bought): void {
    const name = `${apiKey} ${storedName(bought)}`
    const text = bought.kind === 'answer' ? bought.text : ''
    this.#drop(name)
    // The arguments are in the name, and in the answer.
    const bytes = answerBytes + 2 * name.length + text.length
    this.#byName.set(name, { account, bought, bytes })
    this.#bytes += bytes
    for (const oldest of this.#byName.keys()) {
      if (this.#byName.size <= mostWaiting && this.#bytes <= this.#most) break
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    this.#bytes -= this.#byName.get(name)?.bytes ?? 0
    this.#byName.delete(name)
  }

  /**
   * Writes the answers in parts, one after the other. What is written no longer waits, so that a Redis which
   * goes away again gets only the rest later.
   */
  write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = null))
    return this.#writing
  }

  /** Waits for the part that is being written. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#byName.size > 0 && this.#isUp() && !this.#isClosed) {
      try {
        await this.#writePart()
      } catch (error) {
        // Redis objects. The next attempt is made when it has been away.
        if (!(error instanceof RedisAwayError)) return
      }
    }
  }

  /** Writes as many answers of one account as fit. */
  async #writePart(): Promise<void> {
    const part: [string, Waiting][] = []
    const bodies: Buffer[] = []
    let bytes = 0
    const [first] = this.#byName.values()
    for (const [name, waiting] of this.#byName) {
      if (waiting.account !== first?.account) continue
      const body = await pack(waiting.bought)
      if (bytes > 0 && bytes + body.length > mostAtOnce) break
      part.push([name, waiting])
      bodies.push(body)
      bytes += body.length
    }
    await first?.account.write(
      part.map(([, { bought }]) => bought),
      bodies,
    )
    for (const [name, waiting] of part) if (this.#byName.get(name) === waiting) this.#drop(name)
  }
}
