import { randomBytes } from 'node:crypto'
import type { AccountStore, AnswerStore, Bought, Position } from '../../account/answer-store.ts'
import { Deferred } from './deferred.ts'
import { Leases } from './leases.ts'
import type { RedisConnection } from '../redis/connection.ts'
import { writerBytes } from './scripts.ts'
import { SharedAccount } from './shared-account.ts'
import { WaitingAnswers } from './waiting-answers.ts'

export interface AnswerRedisOptions {
  /** Milliseconds for which an answer can be useful. */
  readonly keptFor: number
  /** Identifies the service, so that answers of different services are not mixed. */
  readonly service: string
  /** Milliseconds after which the reservations of a dead instance end. */
  readonly leaseMs?: number
}

const defaultLease = 2_000

/** Stores answers in Redis for all instances. */
export class AnswerRedis implements AnswerStore {
  readonly #redis: RedisConnection
  readonly #options: AnswerRedisOptions
  readonly #leases: Leases
  readonly #deferred = new Deferred()
  readonly #waiting: WaitingAnswers
  readonly #writing = new Set<Promise<void>>()
  /** The instance's id in answers and leases. */
  readonly #me = randomBytes(writerBytes / 2).toString('hex')

  constructor(redis: RedisConnection, options: AnswerRedisOptions) {
    this.#redis = redis
    this.#options = options
    this.#leases = new Leases(redis, this.#me, options.leaseMs ?? defaultLease)
    this.#waiting = new WaitingAnswers(() => redis.isUp)
    redis.onChange((reason) => reason === null && void this.#waiting.write())
  }

  open(
    apiKey: string,
    replay: (bought: readonly Bought[]) => void,
    known?: { readonly position: Position },
  ): AccountStore {
    const account = new SharedAccount(this.#redis, this.#leases, {
      ...this.#options,
      me: this.#me,
      apiKey,
      known,
      replay,
      deferred: this.#deferred,
    })
    const keep = (bought: Bought) => {
      const written = account
        .keep(bought)
        .catch(() => this.#waiting.add(apiKey, account, bought))
        .finally(() => this.#writing.delete(written))
      this.#writing.add(written)
    }
    return {
      keep,
      find: (form) => account.find(form),
      sharing: account,
      get position() {
        return account.position
      },
    }
  }

  /** Waits for running writes. Each has a time limit. */
  async close(): Promise<void> {
    this.#leases.close()
    this.#deferred.flush()
    await Promise.all([...this.#writing, this.#waiting.close()])
  }
}
