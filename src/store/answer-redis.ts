import { randomBytes } from 'node:crypto'
import { keyNamer } from '../money/key-name.ts'
import { formOf } from '../upstream/answer-store.ts'
import type { AccountStore, AnswerStore, Bought, Sharing, Turn } from '../upstream/answer-store.ts'
import { Leases } from './leases.ts'
import { pack, unpack } from './packing.ts'
import { prefix } from './redis.ts'
import type { RedisConnection } from './redis.ts'
import { settleScript, takeScript, writerBytes } from './redis-scripts.ts'

const mebibyte = 1_048_576

/** Bytes of one account's answers that Redis keeps, compressed. In memory they take some forty times as many. The oldest go first. */
const mostKept = 8 * mebibyte
/** Bytes that one round trip brings, so that keeping them does not hold up other queries; what is left comes with the next. */
const mostAtOnce = mebibyte / 4
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

const nothingTaken: ReadonlySet<string> = new Set()

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

interface AccountOptions extends AnswerRedisOptions {
  readonly me: string
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
class SharedAccount implements Sharing {
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
