import { renewScript } from './redis-scripts.ts'
import type { RedisConnection } from './redis.ts'

/** Leases that this instance holds. They are short, so that those of an instance that dies end soon, and renewed while calls are under way. */
export class Leases {
  readonly ms: number
  readonly #redis: RedisConnection
  readonly #me: string
  /** How many calls under way hold each. */
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

  /** Gives up what calls held. Answers with the leases that nothing here holds any more. */
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
