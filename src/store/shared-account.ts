import { keyHasher } from '../money/key-hash.ts'
import { formOf } from '../upstream/answer-store.ts'
import type { Bought, Sharing, Turn } from '../upstream/answer-store.ts'
import type { Leases } from './leases.ts'
import { pack, unpack } from './packing.ts'
import { prefix } from './redis.ts'
import type { RedisConnection } from './redis.ts'
import { settleScript, takeScript } from './redis-scripts.ts'

const mebibyte = 1_048_576

/**
 * Maximum compressed bytes of one account's answers in Redis. In memory they take about forty times as many.
 * The oldest are deleted first.
 */
const mostKept = 8 * mebibyte
/**
 * Maximum bytes of one round trip, so that storing them does not delay other queries. The rest comes with the
 * next one.
 */
const mostAtOnce = mebibyte / 4

const nothingTaken: ReadonlySet<string> = new Set()

interface AccountOptions {
  /** This instance's id. */
  readonly me: string
  readonly keptFor: number
  readonly service: string
  readonly apiKey: string
  readonly replay: (bought: readonly Bought[]) => void
}

/** The calls that ended in one turn of the event loop. */
interface Settling {
  readonly answers: { readonly bought: Bought; readonly body: Promise<Buffer> }[]
  /** The released names. */
  readonly names: string[]
  readonly done: Promise<void>
}

/** One account in Redis, as this instance sees it. */
export class SharedAccount implements Sharing {
  readonly #redis: RedisConnection
  readonly #leases: Leases
  readonly #options: AccountOptions
  #name = ''
  /** The secret of the account's name. If Redis has lost its data, there is a new one. */
  #secret = ''
  /** The number of the last answer that was taken over. */
  #cursor = '0'
  #turn: { readonly names: Set<string>; readonly taken: Promise<Turn> } | null = null
  #settling: Settling | null = null
  /** The last round trip of `#settled`. */
  #last: Promise<void> = Promise.resolve()

  constructor(redis: RedisConnection, leases: Leases, options: AccountOptions) {
    this.#redis = redis
    this.#leases = leases
    this.#options = options
  }

  /** Rejects if Redis is away. */
  keep(bought: Bought): Promise<void> {
    const settling = this.#settled()
    settling.answers.push({ bought, body: pack(bought) })
    return settling.done
  }

  release(names: readonly string[]): void {
    const settling = this.#settled()
    settling.names.push(...names)
    settling.done.catch(() => {})
  }

  /**
   * Collects the calls that end in one turn, for one round trip after the one before. So others find an
   * answer before its lease is released.
   */
  #settled(): Settling {
    if (this.#settling) return this.#settling
    const settling = { answers: [], names: [] }
    const done = Promise.allSettled([this.#last, new Promise(setImmediate)]).then(() => {
      this.#settling = null
      return this.#settle(settling)
    })
    this.#last = done
    return (this.#settling = { ...settling, done })
  }

  async #settle({ answers, names }: Pick<Settling, 'answers' | 'names'>): Promise<void> {
    const { me, keptFor } = this.#options
    const values = await Promise.all(
      answers.map(async ({ bought, body }) => [formOf(bought), moment(bought.boughtAt), await body]),
    )
    const leases = this.#leases.giveUp(names.map((name) => this.#key(`lease:${name}`)))
    if (values.length + leases.length === 0) return
    await this.#redis.run(
      settleScript,
      [this.#key('index'), this.#key('answers'), this.#key('size'), ...leases],
      [me, String(keptFor), String(mostKept), ...values.flat()],
    )
  }

  /** One round trip for everything that is requested in one turn. */
  async take(names: readonly string[]): Promise<Turn> {
    if (!this.#redis.isUp) return { taken: nothingTaken, come: 0 }
    if (!this.#turn) {
      const all = new Set<string>()
      const taken = new Promise<void>((next) => setImmediate(next)).then(() => {
        this.#turn = null
        return this.#take([...all])
      })
      this.#turn = { names: all, taken }
    }
    for (const name of names) this.#turn.names.add(name)
    return this.#turn.taken
  }

  async #take(names: readonly string[]): Promise<Turn> {
    try {
      const first = await this.#page(names)
      let { come } = first
      for (let page = first; page.hasMore; come += page.come) page = await this.#page([])
      return { taken: first.taken, come }
    } catch {
      return { taken: nothingTaken, come: 0 }
    }
  }

  async #page(names: readonly string[]) {
    const { me, replay } = this.#options
    const leases = names.map((name) => this.#key(`lease:${name}`))
    const reply = await this.#redis.run(
      takeScript,
      [this.#key('index'), this.#key('answers'), ...leases],
      [this.#cursor, me, String(this.#leases.ms), String(mostAtOnce)],
    )
    const [cursor, more, granted, found] = reply as [Buffer, number, number[], Buffer[]] // as the script returns
    this.#leases.hold(leases.filter((_, index) => granted[index] === 1))
    const taken = new Set(names.filter((_, index) => granted[index] !== 1))
    const isNews = Number(cursor) > Number(this.#cursor)
    if (isNews) this.#cursor = String(cursor)
    const bought = isNews ? found.flatMap((one) => unpack(one) ?? []) : []
    if (bought.length > 0) replay(bought)
    return { taken, come: bought.length, hasMore: isNews && more === 1 }
  }

  /** The braces keep an account on one node of a cluster. */
  #key(part: string): string {
    const { secret } = this.#redis
    if (secret !== this.#secret) {
      const { service, apiKey } = this.#options
      this.#name = keyHasher(secret)(`${service} ${apiKey}`)
      this.#secret = secret
      this.#cursor = '0'
    }
    return `${prefix}{${this.#name}}:${part}`
  }
}

/** Texts of the same length are ordered like their numbers. */
const moment = (boughtAt: number) => boughtAt.toFixed(3).padStart(20, '0')
