import { randomBytes } from 'node:crypto'
import { keyHasher } from '../money/key-hash.ts'
import { dayOf, monthOf } from '../money/ledger-store.ts'
import type { Change, Grant, Spending } from '../money/ledger-store.ts'
import type { Batch, Outbox } from '../money/outbox.ts'
import { MemoryOutbox } from '../money/outbox.ts'
import type { SharedLedger, Sharing, Sums, Whose } from '../money/shared-ledger.ts'
import { ConfirmedBatches } from './confirmed-batches.ts'
import { applyScript, beatScript } from './ledger-scripts.ts'
import { wired } from './ledger-wire.ts'
import type { Wiring } from './ledger-wire.ts'
import { OwnSums } from './own-sums.ts'
import { RedisAwayError } from './redis.ts'
import type { RedisConnection } from './redis.ts'
import { ledgerPrefix, readShared } from './spent-days.ts'

/** Milliseconds between two heartbeats of an instance, which also fetch the others' spending. */
const beatEvery = 2_000

/** Days kept: a year, and the month before it to compare with. */
const keptDays = 400

/** Maximum keys remembered from before the shared secret was known. Their names are translated later. */
const mostUnnamed = 1_000

export interface RedisLedgerOptions extends Wiring {
  readonly redis: RedisConnection
  /** Where changes wait while Redis is away. */
  readonly outbox: Outbox
  readonly clock: () => number
  /** Called when neither Redis nor the outbox can be written. */
  readonly onFailure: (error: unknown) => void
}

/** The result of the scripts. */
interface Answered {
  /** Whether earlier batches are missing. */
  readonly gap?: true
  /** The number of this process's last batch that Redis knows. */
  readonly last: number
  readonly granted: readonly number[] | Record<string, never>
  readonly sums:
    | readonly (readonly [string, Whose['kind'], string, readonly number[]])[]
    | Record<string, never>
  readonly instances: number
}

/** Which earlier batches Redis must know: all, all since the last known one, or none. */
type Before = 'WHOLE' | 'REST' | 'ANY'

const emptySharing: Sharing = { onElsewhere: () => {}, onAlone: () => {}, onTogether: () => {} }

/**
 * A ledger in Redis that all instances write. While Redis is away, changes wait in the outbox in order, and
 * budgets use the last known sums. Batches of a process are numbered: a batch that is sent again because its
 * answer was lost is applied once, and a Redis that comes back with an older state gets the lost batches
 * again.
 */
export class RedisLedger implements SharedLedger {
  readonly #options: RedisLedgerOptions
  readonly #process = randomBytes(9).toString('base64url')
  readonly #own = new OwnSums()
  readonly #confirmed = new ConfirmedBatches()
  #outbox: Outbox
  #sharing = emptySharing
  #number = 0
  #instances = Number.POSITIVE_INFINITY
  /** Whether Redis can be reached and nothing waits to be sent. */
  #isTogether = false
  #draining: Promise<void> | null = null
  #isFailing = false
  #naming = 0
  /** The secret for the names of keys, shared by all instances; null until Redis has sent it once. */
  #secret: string | null
  #nameOf: (apiKey: string) => string
  /** Keys by their names from before the secret was known. */
  readonly #unnamed = new Map<string, string>()
  readonly #timer: NodeJS.Timeout

  constructor(options: RedisLedgerOptions) {
    this.#options = options
    this.#outbox = options.outbox
    this.#secret = options.outbox.note('secret') ?? null
    this.#nameOf = keyHasher(this.#secret ?? randomBytes(32))
    options.redis.onChange((reason) => (reason === null ? void this.#join() : this.#leave()))
    this.#timer = setInterval(() => void this.#beat(), beatEvery).unref()
  }

  get isDurable(): boolean {
    return true
  }

  /** Whether changes written now would be lost if the process ended. */
  get isVolatile(): boolean {
    return !this.#isTogether && !this.#outbox.isDurable
  }

  get naming(): number {
    return this.#naming
  }

  nameOf(apiKey: string): string {
    const name = this.#nameOf(apiKey)
    if (this.#secret === null && this.#unnamed.size < mostUnnamed) this.#unnamed.set(name, apiKey)
    return name
  }

  share(sharing: Sharing): void {
    this.#sharing = sharing
    this.#tellNoted()
    if (!this.#isTogether) sharing.onAlone(this.#instances)
  }

  /** Resolves when Redis is in use and waiting changes are sent, or after `ms`. */
  async ready(ms: number): Promise<boolean> {
    if (await this.#options.redis.ready(ms)) await this.#join()
    return this.#isTogether
  }

  async write(changes: readonly Change[]): Promise<readonly Grant[]> {
    const batch = { process: this.#process, number: (this.#number += 1), changes }
    if (this.#isTogether) {
      try {
        const { granted } = await this.#apply(batch, false)
        return listOf(granted).map((one) => one === 1)
      } catch (error) {
        if (!(error instanceof RedisAwayError)) this.#failed(error)
        this.#leave()
      }
    }
    this.#put(batch)
    return changes.filter(({ kind }) => kind === 'open').map(() => null)
  }

  spending(from: string, to: string): Promise<readonly Spending[]> {
    return readShared(this.#options.redis, from, to)
  }

  async refresh(key: string): Promise<void> {
    const month = monthOf(this.#options.clock())
    if (this.#isTogether) await this.#beat([[month, 'key', this.#shared(key)]])
  }

  /** Sends a heartbeat that books reservations as estimated if they expire within `aheadMs`. */
  async bookLost(aheadMs: number): Promise<void> {
    await this.#ask(aheadMs, [])
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#options.redis.isUp) await this.#drain()
    this.#outbox.close()
  }

  /** Redis can be reached: uses its secret for names, and sends waiting changes. */
  async #join(): Promise<void> {
    const { secret } = this.#options.redis
    if (this.#secret !== secret) {
      this.#secret = secret
      this.#nameOf = keyHasher(secret)
      this.#naming += 1
      this.#note('secret', secret)
    }
    await this.#drain()
  }

  #leave(): void {
    if (!this.#isTogether && this.#instances !== Number.POSITIVE_INFINITY) return
    this.#isTogether = false
    this.#sharing.onAlone(this.#instances)
  }

  /**
   * Sends waiting batches in order. A batch with a missing predecessor belongs to another running process,
   * which sends it itself.
   */
  #drain(): Promise<void> {
    this.#draining ??= this.#sendWaiting().finally(() => (this.#draining = null))
    return this.#draining
  }

  async #sendWaiting(): Promise<void> {
    if (this.#isTogether) return
    try {
      const later = new Set<string>()
      for (let batch = this.#outbox.first(later); batch; batch = this.#outbox.first(later)) {
        const { gap } = await this.#apply(batch, true)
        if (gap) later.add(batch.process)
        else this.#outbox.remove(batch)
      }
      await this.#restore(() => this.#ask(0, this.#everybody()))
      if (this.#outbox.first(later)) return
      this.#isTogether = true
      this.#sharing.onTogether()
    } catch (error) {
      if (!(error instanceof RedisAwayError)) this.#failed(error)
    }
  }

  /** The names of all sums that do not belong to a key. */
  #everybody(): readonly (readonly string[])[] {
    const month = monthOf(this.#options.clock())
    const clients = [...this.#options.clientBudgets.keys()].map((name) => [month, 'client', name])
    return [[month, 'all', ''], ...clients]
  }

  async #beat(asked: readonly (readonly string[])[] = []): Promise<void> {
    if (!this.#options.redis.isUp) return
    if (!this.#isTogether) return this.#drain()
    try {
      const names = this.#own.names(monthOf(this.#options.clock()))
      await this.#restore(() => this.#ask(0, [...asked, ...names]))
      // Saved for a start without Redis.
      this.#note('sums', JSON.stringify({ instances: this.#instances, sums: this.#own.all() }))
    } catch (error) {
      if (!(error instanceof RedisAwayError)) this.#failed(error)
    }
  }

  /**
   * Sends this process's batches again that Redis has lost, because it came back with an older state or with
   * none.
   */
  async #restore(ask: () => Promise<Answered>): Promise<void> {
    const { newest } = this.#confirmed
    const { last } = await ask()
    if (last < newest) await this.#sendAgain(last)
  }

  async #sendAgain(last: number): Promise<void> {
    for (const { number, text } of this.#confirmed.after(last))
      this.#hear(await this.#send(this.#process, number, text, true, 'ANY'))
  }

  async #ask(aheadMs: number, asked: readonly (readonly string[])[]): Promise<Answered> {
    const oldest = dayOf(this.#options.clock() - keptDays * 86_400_000).replaceAll('-', '')
    const values = [this.#process, String(aheadMs), JSON.stringify(asked), oldest]
    const answered = parsed(await this.#options.redis.run(beatScript, [ledgerPrefix], values))
    this.#hear(answered)
    return answered
  }

  async #apply({ process, number, changes }: Batch, isForced: boolean): Promise<Answered> {
    const rows = changes.map((change) => wired(change, this.#options, (key) => this.#shared(key)))
    const text = JSON.stringify(rows)
    const isOwn = process === this.#process
    let answered = await this.#send(process, number, text, isForced, isOwn ? 'WHOLE' : 'REST')
    if (answered.gap && !isOwn) return answered
    if (answered.gap) {
      await this.#sendAgain(answered.last)
      answered = await this.#send(process, number, text, isForced, 'ANY')
    }
    this.#isFailing = false
    if (isOwn) {
      this.#confirmed.add(number, text)
      this.#own.count(rows, listOf(answered.granted))
    }
    this.#hear(answered)
    return answered
  }

  async #send(
    process: string,
    number: number,
    text: string,
    isForced: boolean,
    before: Before,
  ): Promise<Answered> {
    const values = [process, String(number), isForced ? '1' : '0', text, before]
    return parsed(await this.#options.redis.run(applyScript, [ledgerPrefix], values))
  }

  #hear({ sums, instances }: Answered): void {
    this.#instances = Math.max(1, instances)
    for (const [month, kind, name, [tokens = 0, estimated = 0, bytes = 0, calls = 0, reserved = 0]] of listOf(
      sums,
    )) {
      const whose = { month, kind, name }
      this.#own.noteAll(whose, { tokens, estimated, bytes, calls, reserved })
      this.#tell(whose)
    }
  }

  #tell(whose: Whose): void {
    this.#sharing.onElsewhere(whose, this.#own.elsewhere(whose))
  }

  #note(name: string, value: string): void {
    try {
      this.#outbox.setNote(name, value)
    } catch (error) {
      this.#failed(error)
    }
  }

  #tellNoted(): void {
    const text = this.#outbox.note('sums')
    if (text === undefined || this.#isTogether) return
    const { instances, sums } = JSON.parse(text) as { instances: number; sums: [Whose, Sums][] } // written by #beat()
    this.#instances = instances
    for (const [whose, all] of sums) {
      this.#own.noteAll(whose, all)
      this.#tell(whose)
    }
  }

  /** Reports a failure once, until something is written again. */
  #failed(error: unknown): void {
    if (!this.#isFailing) this.#options.onFailure(error)
    this.#isFailing = true
  }

  /** A batch that cannot be written to the file waits in memory. */
  #put(batch: Batch): void {
    try {
      this.#outbox.put(batch)
    } catch (error) {
      this.#failed(error)
      this.#outbox = withBefore(this.#outbox)
      this.#outbox.put(batch)
    }
  }

  /** The name of a key that all instances use. */
  #shared(name: string): string {
    const apiKey = this.#unnamed.get(name)
    return apiKey === undefined ? name : this.#nameOf(apiKey)
  }
}

const parsed = (answer: unknown) => JSON.parse(String(answer)) as Answered // written by the scripts

/** Lua encodes an empty list as an empty object. */
const listOf = <T>(list: readonly T[] | Record<string, never>): readonly T[] =>
  Array.isArray(list) ? (list as readonly T[]) : []

/** An outbox that can no longer be written, continued by one in memory. */
function withBefore(before: Outbox): Outbox {
  const memory = new MemoryOutbox()
  return {
    isDurable: false,
    put: (batch) => memory.put(batch),
    first: (without) => before.first(without) ?? memory.first(without),
    remove(batch) {
      before.remove(batch)
      memory.remove(batch)
    },
    get isEmpty() {
      return before.isEmpty && memory.isEmpty
    },
    note: (name) => before.note(name),
    setNote: (name, value) => before.setNote(name, value),
    close: () => before.close(),
  }
}
