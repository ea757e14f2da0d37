import { keyNamer } from '../money/key-name.ts'
import { formOf } from '../upstream/answer-store.ts'
import type { Bought, Sharing, Turn } from '../upstream/answer-store.ts'
import type { Leases } from './leases.ts'
import { pack, unpack } from './packing.ts'
import { prefix } from './redis.ts'
import type { RedisConnection } from './redis.ts'
import { settleScript, takeScript } from './redis-scripts.ts'

const mebibyte = 1_048_576

/** Bytes of one account's answers that Redis keeps, compressed. In memory they take some forty times as many. The oldest go first. */
const mostKept = 8 * mebibyte
/** Bytes that one round trip brings, so that keeping them does not hold up other queries; what is left comes with the next. */
const mostAtOnce = mebibyte / 4

const nothingTaken: ReadonlySet<string> = new Set()

interface AccountOptions {
  /** Tells this instance from others. */
  readonly me: string
  readonly keptFor: number
  readonly service: string
  readonly apiKey: string
  readonly replay: (bought: readonly Bought[]) => void
}

/** What has ended in one turn of the event loop. */
interface Settling {
  readonly answers: { readonly bought: Bought; readonly body: Promise<Buffer> }[]
  /** What is given up. */
  readonly names: string[]
  readonly done: Promise<void>
}

/** One account, as this instance sees it. */
export class SharedAccount implements Sharing {
  readonly #redis: RedisConnection
  readonly #leases: Leases
  readonly #options: AccountOptions
  #name = ''
  /** The secret that the name is made with. A Redis that has lost everything has a new one. */
  #secret = ''
  /** The number of the last answer that was kept here. */
  #cursor = '0'
  #turn: { readonly names: Set<string>; readonly taken: Promise<Turn> } | null = null
  #settling: Settling | null = null
  /** What was settled last. */
  #last: Promise<void> = Promise.resolve()

  constructor(redis: RedisConnection, leases: Leases, options: AccountOptions) {
    this.#redis = redis
    this.#leases = leases
    this.#options = options
  }

  /** Rejects where Redis is away. */
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
   * What ends in one turn of the event loop is settled in one round trip, after what ended before: so others find an answer before
   * they find its lease gone.
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

  /** One round trip for all that ask in one turn of the event loop. */
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

  /** In a cluster, all of one account is in one place. */
  #key(part: string): string {
    const { secret } = this.#redis
    if (secret !== this.#secret) {
      const { service, apiKey } = this.#options
      this.#name = keyNamer(secret)(`${service} ${apiKey}`)
      this.#secret = secret
      this.#cursor = '0'
    }
    return `${prefix}{${this.#name}}:${part}`
  }
}

/** Moments of one length are in order as texts. */
const moment = (boughtAt: number) => boughtAt.toFixed(3).padStart(20, '0')
