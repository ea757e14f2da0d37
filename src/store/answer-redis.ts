import { randomBytes } from 'node:crypto'
import { formOf } from '../upstream/answer-store.ts'
import type { AccountStore, AnswerStore, Bought } from '../upstream/answer-store.ts'
import { Leases } from './leases.ts'
import type { RedisConnection } from './redis.ts'
import { writerBytes } from './redis-scripts.ts'
import { SharedAccount } from './shared-account.ts'

/** Answers that wait for Redis to be back. */
const mostWaiting = 2_000

export interface AnswerRedisOptions {
  /** How long an answer is of any use, in milliseconds. */
  readonly keptFor: number
  /** Tells services apart: what one has answered is no answer of another. */
  readonly service: string
  /** How long what is reserved stays so where its instance is gone, in milliseconds. */
  readonly leaseMs?: number
}

const defaultLease = 2_000

/** Keeps answers in Redis, where all instances find them. */
export class AnswerRedis implements AnswerStore {
  readonly #redis: RedisConnection
  readonly #options: AnswerRedisOptions
  readonly #leases: Leases
  readonly #waiting = new Map<string, () => void>()
  readonly #writing = new Set<Promise<void>>()
  /** Tells this instance's answers and leases from others'. */
  readonly #me = randomBytes(writerBytes / 2).toString('hex')

  constructor(redis: RedisConnection, options: AnswerRedisOptions) {
    this.#redis = redis
    this.#options = options
    this.#leases = new Leases(redis, this.#me, options.leaseMs ?? defaultLease)
    redis.onChange((reason) => reason === null && this.#catchUp())
  }

  open(apiKey: string, replay: (bought: readonly Bought[]) => void): AccountStore {
    const account = new SharedAccount(this.#redis, this.#leases, {
      ...this.#options,
      me: this.#me,
      apiKey,
      replay,
    })
    const keep = (bought: Bought) => {
      const written = account
        .keep(bought)
        .catch(() => this.#wait(`${apiKey} ${formOf(bought)}`, () => keep(bought)))
        .finally(() => this.#writing.delete(written))
      this.#writing.add(written)
    }
    return { keep, sharing: account }
  }

  /** Writes what is being written. Each is bounded in time. */
  async close(): Promise<void> {
    this.#leases.close()
    await Promise.all(this.#writing)
  }

  /** What cannot be shared now is shared when Redis is back, the latest of each form. */
  #wait(name: string, keep: () => void): void {
    this.#waiting.delete(name)
    this.#waiting.set(name, keep)
    const [first] = this.#waiting.keys()
    if (first !== undefined && this.#waiting.size > mostWaiting) this.#waiting.delete(first)
  }

  #catchUp(): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const keep of waiting) keep()
  }
}
