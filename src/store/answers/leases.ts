import { renewScript } from './scripts.ts'
import type { RedisConnection } from '../redis/connection.ts'

/**
 * The leases that this instance holds. They are short, so that those of a dead instance end soon, and are
 * renewed while calls are pending.
 */
export class Leases {
  readonly ms: number
  readonly #redis: RedisConnection
  readonly #me: string
  /** The number of pending calls that hold each lease. */
  readonly #held = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(redis: RedisConnection, me: string, ms: number) {
    this.#redis = redis
    this.#me = me
    this.ms = ms
  }

  hold(leases: readonly string[]): void {
    for (const lease of leases) this.#held.set(lease, (this.#held.get(lease) ?? 0) + 1)
    if (this.#held.size > 0) this.#timer ??= setInterval(() => this.#renew(), this.ms / 3).unref()
  }

  /** Releases leases. Returns those that no other call here holds. */
  giveUp(leases: readonly string[]): readonly string[] {
    const over = leases.filter((lease) => {
      const left = (this.#held.get(lease) ?? 0) - 1
      if (left > 0) this.#held.set(lease, left)
      else this.#held.delete(lease)
      return left === 0
    })
    if (this.#held.size === 0) this.close()
    return over
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #renew(): void {
    this.#redis.run(renewScript, [...this.#held.keys()], [this.#me, String(this.ms)]).catch(() => {})
  }
}
