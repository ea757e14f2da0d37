import { createHash } from 'node:crypto'
import { keyHasher } from '../../money/key-hash.ts'
import { storedName } from '../../account/answer-store.ts'
import type { Bought, Found, Position, Sharing, Turn } from '../../account/answer-store.ts'
import type { Deferred } from './deferred.ts'
import type { Leases } from './leases.ts'
import { pack, unpack } from './packing.ts'
import { prefix } from '../redis/connection.ts'
import type { RedisConnection } from '../redis/connection.ts'
import { countedName, findScript, settleScript, takeScript } from './scripts.ts'

const mebibyte = 1_048_576

/**
 * Maximum bytes of one account's answers in Redis, compressed, with their names. In memory they take about
 * forty times as many.
 * The oldest are deleted first.
 */
const mostKept = 8 * mebibyte
/**
 * Maximum bytes of one round trip, so that storing them does not delay other queries. The rest comes with the
 * next one.
 */
const mostAtOnce = mebibyte / 4

/** Milliseconds that Redis may take to store answers that have waited while it was away. */
const longestWrite = 2_000

const nothingTaken: ReadonlySet<string> = new Set()

interface AccountOptions {
  /** This instance's id. */
  readonly me: string
  readonly keptFor: number
  readonly service: string
  readonly apiKey: string
  /** Set if memory has what this instance has bought before, and what others have up to a position. */
  readonly known?: { readonly position: Position } | undefined
  readonly replay: (bought: readonly Bought[]) => void
  /** What the accounts of this instance write later, together. */
  readonly deferred: Deferred
}

/** Calls that have ended, and are not written yet. */
interface Settling {
  readonly answers: Bought[]
  /** The released names. */
  readonly names: string[]
  readonly done: Promise<void>
  end(written: Promise<void>): void
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
  /** Whether memory has what this instance itself has bought. */
  #hasOwn: boolean
  #turn: { readonly names: Set<string>; readonly taken: Promise<Turn> } | null = null
  #settling: Settling | null = null
  /** The last write that waits for a large answer to be compressed; null if none does. */
  #slow: Promise<void> | null = null

  constructor(redis: RedisConnection, leases: Leases, options: AccountOptions) {
    this.#redis = redis
    this.#leases = leases
    this.#options = options
    this.#hasOwn = options.known !== undefined
    if (options.known?.position) this.#goOn(options.known.position)
  }

  get position(): Position {
    return this.#secret === '' ? undefined : { secret: this.#secret, cursor: this.#cursor }
  }

  /** Rejects if Redis is away. */
  keep(bought: Bought): Promise<void> {
    const settling = this.#settled()
    settling.answers.push(bought)
    return settling.done
  }

  release(names: readonly string[]): void {
    const settling = this.#settled()
    settling.names.push(...names)
    settling.done.catch(() => {})
  }

  /** Collects the calls that end within some milliseconds, for one round trip. */
  #settled(): Settling {
    if (this.#settling) return this.#settling
    let end: Settling['end'] = () => {}
    const done = new Promise<void>((resolve) => (end = resolve))
    this.#options.deferred.add(() => this.flush())
    return (this.#settling = { answers: [], names: [], done, end })
  }

  /**
   * Writes the calls that have ended, in their order: so others find an answer before its lease is released.
   */
  flush(): void {
    const settling = this.#settling
    if (!settling) return
    this.#settling = null
    const newest = newestOf(settling.answers)
    const bodies = newest.map(pack)
    const settle = (packed: readonly Buffer[]) => this.#settle(newest, packed, settling.names)
    if (this.#slow === null && arePacked(bodies)) return settling.end(settle(bodies))
    const before = this.#slow?.catch(() => {})
    const slow = Promise.all([Promise.all(bodies), before])
      .then(([packed]) => settle(packed))
      .finally(() => {
        if (this.#slow === slow) this.#slow = null
      })
    this.#slow = slow
    settling.end(slow)
  }

  /** Writes answers that have waited. There are many, so Redis may take longer for them. */
  write(answers: readonly Bought[], bodies: readonly Buffer[]): Promise<void> {
    return this.#settle(answers, bodies, [], longestWrite)
  }

  async #settle(
    answers: readonly Bought[],
    bodies: readonly Buffer[],
    names: readonly string[],
    longestWaitMs?: number,
  ): Promise<void> {
    const { me, keptFor } = this.#options
    const leases = this.#leases.giveUp(names.map((name) => this.#key(`lease:${name}`)))
    const values = answers.flatMap((bought, index) => [
      nameOf(storedName(bought)),
      Buffer.concat([Buffer.from(me + moment(bought.boughtAt)), bodies[index] ?? none]),
    ])
    if (values.length + leases.length === 0) return
    await this.#redis.run(
      settleScript,
      [this.#key('index'), this.#key('answers'), this.#key('size'), ...leases],
      [me, String(keptFor), String(mostKept), ...values],
      longestWaitMs,
    )
  }

  /** The stored answer of a form; undefined if there is none, or Redis is away. */
  async find(form: string): Promise<Found> {
    const waiting = this.#settling?.answers.find((bought) => storedName(bought) === form)
    if (waiting) return waiting
    try {
      const found = await this.#redis.run(findScript, [this.#key('answers')], [nameOf(form)])
      return found instanceof Buffer ? (unpack(found) ?? undefined) : undefined
    } catch {
      return undefined
    }
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
    // A lease that is released and taken again has to be released first.
    if (this.#settling?.names.some((name) => names.includes(name))) this.flush()
    const leases = names.map((name) => this.#key(`lease:${name}`))
    const reply = await this.#redis.run(
      takeScript,
      [this.#key('index'), this.#key('answers'), ...leases],
      [this.#cursor, me, String(this.#leases.ms), String(mostAtOnce), this.#hasOwn ? 'OTHERS' : 'OWN'],
    )
    const [cursor, more, granted, found] = reply as [Buffer, number, number[], Buffer[]] // as the script returns
    this.#leases.hold(leases.filter((_, index) => granted[index] === 1))
    const taken = new Set(names.filter((_, index) => granted[index] !== 1))
    const isNews = Number(cursor) > Number(this.#cursor)
    if (isNews) this.#cursor = String(cursor)
    const bought = isNews ? found.flatMap((one) => unpack(one) ?? []) : []
    if (bought.length > 0) replay(bought)
    const hasMore = isNews && more === 1
    if (!hasMore) this.#hasOwn = true
    return { taken, come: bought.length, hasMore }
  }

  #goOn({ secret, cursor }: NonNullable<Position>): void {
    const { service, apiKey } = this.#options
    this.#name = keyHasher(secret)(`${service} ${apiKey}`)
    this.#secret = secret
    this.#cursor = cursor
  }

  /** The braces keep an account on one node of a cluster. */
  #key(part: string): string {
    const { secret } = this.#redis
    if (secret !== this.#secret) this.#goOn({ secret, cursor: '0' })
    return `${prefix}{${this.#name}}:${part}`
  }
}

const arePacked = (bodies: readonly (Buffer | Promise<Buffer>)[]): bodies is readonly Buffer[] =>
  bodies.every((body) => body instanceof Buffer)

const none = Buffer.alloc(0)

/** The newest answer of each form. */
function newestOf(answers: readonly Bought[]): readonly Bought[] {
  if (answers.length < 2) return answers
  const byForm = new Map<string, Bought>()
  for (const bought of answers) {
    const before = byForm.get(storedName(bought))
    if (!before || before.boughtAt <= bought.boughtAt) byForm.set(storedName(bought), bought)
  }
  return [...byForm.values()]
}

/** The name of an answer in Redis. It has the same length for each form, because hundreds of ids are 20 kB. */
const nameOf = (form: string) =>
  countedName + createHash('sha256').update(form).digest('base64url').slice(0, 22)

/** Texts of the same length are ordered like their numbers. */
const moment = (boughtAt: number) => boughtAt.toFixed(3).padStart(20, '0')
