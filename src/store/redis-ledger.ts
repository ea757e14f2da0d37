import { monthOf } from '../money/ledger-store.ts'
import type { Change, Grant, Spending } from '../money/ledger-store.ts'
import type { Batch, Outbox } from '../money/outbox.ts'
import type { SharedLedger, Sharing } from '../money/shared-ledger.ts'
import { BatchSender } from './batch-sender.ts'
import type { BatchSenderOptions } from './batch-sender.ts'
import { continuedInMemory } from './continued-outbox.ts'
import { KeyNames } from './key-names.ts'
import { ledgerFault } from './redis-faults.ts'
import { RedisAwayError } from './redis.ts'
import { saveSums, tellSaved } from './saved-sums.ts'
import { readShared } from './spent-days.ts'
import { WaitingBatches } from './waiting-batches.ts'
import type { WaitingBatchesOptions } from './waiting-batches.ts'

/** Milliseconds between two heartbeats of an instance, which also fetch the others' spending. */
const beatEvery = 2_000

export interface RedisLedgerOptions extends BatchSenderOptions, WaitingBatchesOptions {
  /** Where changes wait while Redis is away. */
  readonly outbox: Outbox
  /** A key that is known from the start. Its name is translated if the secret has changed since. */
  readonly apiKey?: string | null
  /** Called when neither Redis nor the outbox can be written. */
  readonly onFailure: (error: unknown) => void
}

const emptySharing: Sharing = {
  onElsewhere: () => {},
  onRenamed: () => {},
  onAlone: () => {},
  onTogether: () => {},
}

/**
 * A ledger in Redis that all instances write. While Redis is away, changes wait in the outbox in order, and
 * budgets use the last known sums.
 */
export class RedisLedger implements SharedLedger {
  readonly isDurable = true
  readonly isRemote = true
  readonly #options: RedisLedgerOptions
  readonly #sender: BatchSender
  readonly #waiting: WaitingBatches
  #outbox: Outbox
  #sharing = emptySharing
  /** The number of the last batch. */
  #number = 0
  /** Batches that are being sent. */
  #underway = 0
  /** Resolves when the last batch is sent, with true, or waits in the outbox. */
  #last = Promise.resolve(true)
  /** Whether Redis can be reached and nothing waits to be sent. */
  #isTogether = false
  #draining: Promise<void> | null = null
  #isFailing = false
  /** What Redis last objected to. */
  #trouble: string | null = null
  readonly #names: KeyNames
  readonly #timer: NodeJS.Timeout

  constructor(options: RedisLedgerOptions) {
    this.#options = options
    this.#names = new KeyNames(options.outbox.note('secret') ?? null)
    if (options.apiKey) this.#names.of(options.apiKey)
    this.#sender = new BatchSender(options, {
      nameOf: (key) => this.#names.shared(key),
      namesIn: (text) => this.#names.sharedInText(text),
      onLost: () => options.redis.lookForSecret(),
      onSums: (whose, elsewhere) => this.#sharing.onElsewhere(whose, elsewhere),
    })
    this.#waiting = new WaitingBatches(this.#sender, options)
    this.#outbox = options.outbox
    options.redis.onChange((reason) => (reason === null ? void this.#join() : this.#leave()))
    this.#timer = setInterval(() => void this.#beat(), beatEvery).unref()
  }

  /** Whether changes written now would be lost if the process ended. */
  get isVolatile(): boolean {
    return !this.#isTogether && !this.#outbox.isDurable
  }

  /** Why bills wait although Redis answers; null if they do not. */
  get trouble(): string | null {
    if (!this.#options.redis.isUp) return null
    if (!this.#isTogether && this.#trouble !== null) return this.#trouble
    return this.#waiting.left.size === 0
      ? null
      : 'Bills that another process left in DATA_DIR are not sent yet.'
  }

  get naming(): number {
    return this.#names.version
  }

  nameOf(apiKey: string): string {
    return this.#names.of(apiKey)
  }

  share(sharing: Sharing): void {
    this.#sharing = sharing
    if (!this.#isTogether) tellSaved(this.#outbox, this.#sender)
    if (!this.#isTogether) sharing.onAlone(this.#sender.instances)
  }

  /** Resolves when Redis is in use and waiting changes are sent, or after `ms`. */
  async ready(ms: number): Promise<boolean> {
    if (await this.#options.redis.ready(ms)) await this.#join()
    return this.#isTogether
  }

  /** A batch may be written while the one before it is still being sent. Their order stays. */
  async write(changes: readonly Change[]): Promise<readonly Grant[]> {
    const before = this.#last
    this.#underway += 1
    const sent = this.#send({ process: this.#sender.process, number: (this.#number += 1), changes }, before)
    this.#last = sent.then((granted) => {
      this.#underway -= 1
      return granted !== null
    })
    return (await sent) ?? changes.filter(({ kind }) => kind === 'open').map(() => null)
  }

  /** Which reservations are granted; null if Redis is away, and the batch waits in the outbox. */
  async #send(batch: Batch, before: Promise<boolean>): Promise<readonly boolean[] | null> {
    if (this.#isTogether) {
      try {
        const granted = await this.#sender.apply(batch, { isForced: false, before })
        this.#isFailing = false
        return granted
      } catch (error) {
        if (!(error instanceof RedisAwayError)) this.#failed(error)
        this.#leave()
      }
    }
    // Batches wait in the order of their numbers.
    if (this.#underway > 1) await before
    this.#put(batch)
    return null
  }

  spending(from: string, to: string): Promise<readonly Spending[]> {
    return readShared(this.#options.redis, from, to)
  }

  async refresh(key: string): Promise<void> {
    const month = monthOf(this.#options.clock())
    if (this.#isTogether) await this.#beat([[month, 'key', this.#names.shared(key)]])
  }

  /** Sends a heartbeat that books reservations as estimated if they expire within `aheadMs`. */
  async bookLost(aheadMs: number): Promise<void> {
    await this.#sender.ask(aheadMs, [])
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#options.redis.isUp) await this.#drain()
    this.#outbox.close()
  }

  /** Redis can be reached: uses its secret for names, and sends waiting changes. */
  async #join(): Promise<void> {
    this.#useSecret()
    this.#waiting.startAgain()
    await this.#drain()
  }

  #useSecret(): void {
    const { secret } = this.#options.redis
    const renamed = this.#names.use(secret)
    if (!renamed) return
    this.#note('secret', secret)
    this.#sender.own.rename(renamed)
    this.#sharing.onRenamed(renamed)
  }

  #leave(): void {
    if (!this.#isTogether && this.#sender.instances !== Number.POSITIVE_INFINITY) return
    this.#isTogether = false
    this.#sharing.onAlone(this.#sender.instances)
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#sendWaiting().finally(() => (this.#draining = null))
    return this.#draining
  }

  async #sendWaiting(): Promise<void> {
    try {
      if (this.#isTogether) await this.#waiting.send(this.#outbox, true)
      if (this.#isTogether) return
      // Batches that were being sent when Redis went away come first.
      while (this.#underway > 0) await this.#last
      if (await this.#waiting.send(this.#outbox, false)) this.#isFailing = false
      await this.#sender.restore(this.#everybody())
      if (this.#underway > 0 || this.#outbox.first(this.#waiting.left)) return
      this.#isTogether = true
      this.#trouble = null
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
    const isTogether = this.#isTogether
    await this.#drain()
    if (!isTogether) return
    try {
      const { own } = this.#sender
      await this.#sender.restore([...asked, ...own.names(monthOf(this.#options.clock()))])
      saveSums(this.#outbox, this.#sender)
    } catch (error) {
      if (!(error instanceof RedisAwayError)) this.#failed(error)
    }
  }

  #note(name: string, value: string): void {
    try {
      this.#outbox.setNote(name, value)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Reports a failure once, until something is written again. */
  #failed(error: unknown): void {
    this.#trouble = ledgerFault(error)
    if (!this.#isFailing) this.#options.onFailure(error)
    this.#isFailing = true
  }

  /** A batch that cannot be written to the file waits in memory. */
  #put(batch: Batch): void {
    try {
      this.#outbox.put(batch)
    } catch (error) {
      this.#failed(error)
      this.#outbox = continuedInMemory(this.#outbox)
      this.#outbox.put(batch)
    }
  }
}
