import { setTimeout as pause } from 'node:timers/promises'
import { monthOf } from '../../money/ledger-store.ts'
import type { Change, Grant, Spending } from '../../money/ledger-store.ts'
import { SECRET_NOTE } from '../../money/files/outbox.ts'
import type { Batch, Outbox } from '../../money/files/outbox.ts'
import type { SharedLedger, Sharing, Whose } from '../../money/shared-ledger.ts'
import { Allotments } from './allotments.ts'
import { BatchSender } from './batch-sender.ts'
import type { BatchSenderOptions } from './batch-sender.ts'
import { BudgetsInUse } from './budgets-in-use.ts'
import { ContinuedOutbox } from './continued-outbox.ts'
import { KeyNames } from './key-names.ts'
import { ledgerTimes } from './ledger-times.ts'
import type { LedgerTimes } from './ledger-times.ts'
import { ledgerFault } from '../redis/faults.ts'
import { RedisAwayError } from '../redis/connection.ts'
import { saveSums, tellSaved } from './saved-sums.ts'
import { readShared } from './spent-days.ts'
import { WaitingBatches } from './waiting-batches.ts'
import type { WaitingBatchesOptions } from './waiting-batches.ts'

/** Milliseconds for which a batch waits while the outbox is sent, in which others join it. */
const longestHold = 50

const awaitingOthers =
  'Bills of other instances are not in Redis yet. Until they are, this instance spends no more than its share of each budget.'

/** Maximum sums saved with one heartbeat, in some milliseconds. The rest is saved with the next one. */
const savedAtOnce = 500

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
  onAllotted: () => {},
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
  readonly #times: LedgerTimes
  readonly #sender: BatchSender
  readonly #allotments: Allotments
  readonly #waiting: WaitingBatches
  readonly #outbox: ContinuedOutbox
  #sharing = emptySharing
  /** The number of the last batch. */
  #number = 0
  /** Batches that are being sent. */
  #inFlight = 0
  /** Resolves when the last batch is sent, with true, or waits in the outbox. */
  #last = Promise.resolve(true)
  /** Whether Redis can be reached and nothing waits to be sent. */
  #isTogether = false
  /** Whether Redis was away, and has not been told yet. */
  #isBack = false
  #draining: Promise<void> | null = null
  /** What batches wait for that come while the outbox is sent. */
  #hold: Promise<void> | null = null
  /** Whether Redis grants nothing yet, because others have not sent what they have. */
  #awaitsOthers = false
  /** Until this instance asks again whether they have. */
  #settling: NodeJS.Timeout | undefined
  #isFailing = false
  /** What Redis last objected to. */
  #trouble: string | null = null
  readonly #names: KeyNames
  readonly #budgets: BudgetsInUse
  readonly #timer: NodeJS.Timeout

  constructor(options: RedisLedgerOptions) {
    this.#options = options
    this.#times = options.times ?? ledgerTimes
    this.#outbox = new ContinuedOutbox(options.outbox, options.onFailure)
    this.#names = new KeyNames(this.#firstSecret())
    if (options.apiKey) this.#names.of(options.apiKey)
    this.#budgets = new BudgetsInUse(options, this.#names)
    this.#sender = new BatchSender(options, {
      nameOf: (key) => this.#names.shared(key),
      namesIn: (text) => this.#names.sharedInText(text),
      onLost: () => options.redis.lookForSecret(),
      onSums: (whose, elsewhere) => this.#sharing.onElsewhere(whose, elsewhere),
      onAllotted: (allotted) => this.#allotments.hear(allotted),
      onUnsettled: () => this.#settle(),
    })
    this.#allotments = new Allotments({
      limitOf: (whose) => this.#budgets.limitOf(whose),
      usedOf: (whose) => this.#sender.own.used(whose),
      instances: () => this.#sender.instances,
      send: (wishes, number) => this.#sender.allot(wishes, number),
      onAllotted: (whose, tokens, until) => this.#sharing.onAllotted(whose, tokens, until),
    })
    this.#waiting = new WaitingBatches(this.#sender, options)
    options.redis.onChange((reason) => (reason === null ? void this.#join() : this.#leave()))
    this.#timer = setInterval(() => void this.#beat(), this.#times.beatEvery).unref()
  }

  /** Whether changes written now would be lost if the process ended. */
  get isVolatile(): boolean {
    return !this.#isTogether && !this.#outbox.isDurable
  }

  /** Why bills wait although Redis answers; null if they do not. */
  get trouble(): string | null {
    if (!this.#options.redis.isUp) return null
    if (!this.#isTogether && this.#trouble !== null) return this.#trouble
    if (this.#awaitsOthers) return awaitingOthers
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

  hashOf(apiKey: string): string {
    return this.#names.hashOf(apiKey)
  }

  share(sharing: Sharing): void {
    this.#sharing = sharing
    if (this.#isTogether) return this.#sender.tellAll()
    tellSaved(this.#outbox, this.#sender, this.#options.clientBudgets)
    sharing.onAlone(this.#sender.instances, this.#awaitsOthers)
    // What was spent alone is part of the share. Counted before, it would leave a new share after each restart.
    for (const batch of this.#outbox.waiting()) this.#sender.countLeft(batch)
  }

  /** Resolves when Redis is in use and waiting changes are sent, or after `ms`. */
  async ready(ms: number): Promise<boolean> {
    if (await this.#options.redis.ready(ms)) await this.#join()
    return this.#isTogether
  }

  /** A batch may be written while the one before it is still being sent. Their order stays. */
  async write(changes: readonly Change[]): Promise<readonly Grant[]> {
    for (const change of changes)
      if (change.kind === 'settle' && change.spent.length > 0) this.#names.noteBilled(change.opened.key)
    const before = this.#last
    const sent = this.#send({ process: this.#sender.process, number: (this.#number += 1), changes }, before)
    this.#last = sent.then((granted) => granted !== null)
    const granted = await sent
    if (granted) return granted
    const opened = changes.filter(({ kind }) => kind === 'open')
    // All others may have sent what they have since it was last asked. Then this instance has no share any more.
    if (opened.length > 0 && this.#awaitsOthers && this.#options.redis.isUp)
      await Promise.race([this.#drain(), pause(longestHold)])
    return opened.map(() => null)
  }

  /** Which reservations are granted; null if Redis is away, and the batch waits in the outbox. */
  async #send(batch: Batch, before: Promise<boolean>): Promise<readonly Grant[] | null> {
    if (this.#draining && !this.#isTogether) await this.#held(this.#draining)
    this.#inFlight += 1
    try {
      return await this.#sendOrKeep(batch, before)
    } finally {
      this.#inFlight -= 1
    }
  }

  /**
   * Waits until the outbox is sent, but not for long. If batches came faster than they are sent, one after the
   * other, the outbox would never be empty. All that wait go on together, in their order.
   */
  #held(draining: Promise<void>): Promise<void> {
    if (this.#hold) return this.#hold
    const hold = Promise.race([draining, pause(longestHold)])
    void hold.then(() => (this.#hold = null))
    this.#hold = hold
    return hold
  }

  async #sendOrKeep(batch: Batch, before: Promise<boolean>): Promise<readonly Grant[] | null> {
    if (this.#isTogether) {
      try {
        const granted = await this.#sender.apply(batch, { isForced: false, before })
        this.#isFailing = false
        const opened = batch.changes.filter(({ kind }) => kind === 'open')
        this.#allotments.use(
          opened.flatMap((change, at) => (granted[at] === true ? this.#budgets.usesOf(change) : [])),
        )
        return granted
      } catch (error) {
        if (!(error instanceof RedisAwayError)) this.#failed(error)
        this.#leave()
      }
    }
    // Batches wait in the order of their numbers.
    if (this.#inFlight > 1) await before
    this.#outbox.put(batch)
    return null
  }

  spending(from: string, to: string): Promise<readonly Spending[]> {
    return readShared(this.#options.redis, from, to)
  }

  async refresh(key: string): Promise<void> {
    const month = monthOf(this.#options.clock())
    if (this.#isTogether) await this.#beat([{ month, kind: 'key', name: this.#names.shared(key) }])
  }

  recalled(): Promise<void> {
    return this.#allotments.recalled()
  }

  /** Sends a heartbeat that books reservations as estimated if they expire within `aheadMs`. */
  async bookLost(aheadMs: number): Promise<void> {
    await this.#sender.bookLost(aheadMs)
  }

  /** Bills that are neither in Redis nor in a file. */
  get lost(): readonly Spending[] {
    return [...this.#outbox.inMemory()].flatMap(({ changes }) =>
      changes.flatMap((change) => (change.kind === 'settle' ? change.spent : [])),
    )
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#options.redis.isUp) await this.#drain()
    // Another heartbeat after it has left would count it again.
    clearTimeout(this.#settling)
    await this.#allotments.close().catch(() => {})
    await this.#sender.leave().catch(() => {})
    this.#save()
    this.#outbox.close()
  }

  /** Redis can be reached: uses its secret for names, and sends waiting changes. */
  async #join(): Promise<void> {
    this.#useSecret()
    this.#waiting.startAgain()
    this.#isBack = true
    await this.#drain()
  }

  #useSecret(): void {
    const { secret } = this.#options.redis
    const renamed = this.#names.use(secret)
    if (!renamed) return
    this.#sender.own.rename(renamed)
    this.#allotments.forget()
    this.#sharing.onRenamed(renamed)
  }

  /** Notes the secret once no bill waits under a name by the earlier one: the next process could not translate it. */
  #noteSecret(): void {
    const { secret } = this.#options.redis
    if (this.#outbox.note(SECRET_NOTE) !== secret) this.#outbox.setNote(SECRET_NOTE, secret)
  }

  #leave(): void {
    if (!this.#isTogether && this.#sender.instances !== Number.POSITIVE_INFINITY) return
    const wasTogether = this.#isTogether
    this.#isTogether = false
    this.#sharing.onAlone(this.#sender.instances)
    this.#allotments.release()
    if (wasTogether) this.#save()
  }

  /** Redis lacks what others have: goes on as if it was away, until all instances have sent it. */
  #settle(): void {
    this.#awaitsOthers = true
    this.#leave()
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => void this.#drain(), this.#times.askEvery).unref()
  }

  /** Saves what is known of all, with which the next process starts if Redis is away. */
  #save(most = Number.POSITIVE_INFINITY): void {
    try {
      saveSums(this.#outbox, this.#sender, this.#options.clientBudgets, most)
    } catch {
      // It has told why.
    }
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#sendWaiting().finally(() => (this.#draining = null))
    return this.#draining
  }

  async #sendWaiting(): Promise<void> {
    const wasTogether = this.#isTogether
    try {
      if (wasTogether) await this.#waiting.send(this.#outbox, true)
      if (this.#isTogether) return
      // Batches that were being sent when Redis went away come first.
      while (this.#inFlight > 0) await this.#last
      if (this.#isBack) await this.#sender.comeBack()
      this.#isBack = false
      await this.#sender.restore([])
      do {
        if (await this.#waiting.send(this.#outbox, false)) this.#isFailing = false
        if (!(await this.#sender.restore(this.#watched, !this.#hasMore))) return
      } while (this.#hasMore)
      this.#isTogether = true
      this.#noteSecret()
      this.#awaitsOthers = false
      this.#trouble = null
      this.#sharing.onTogether()
      this.#allotments.release()
      await this.#allotments.renew()
    } catch (error) {
      if (!(error instanceof RedisAwayError)) this.#failed(error)
    } finally {
      // What was sent is no longer in the outbox.
      if (!wasTogether) this.#save()
    }
  }

  /** Whether batches wait to be sent, or are about to. */
  get #hasMore(): boolean {
    return this.#inFlight > 0 || this.#outbox.first(this.#waiting.left) !== undefined
  }

  get #watched(): readonly Whose[] {
    return this.#budgets.watched(this.#sender.own.keys)
  }

  async #beat(asked: readonly Whose[] = []): Promise<void> {
    this.#outbox.catchUp()
    if (!this.#options.redis.isUp) return
    const isTogether = this.#isTogether
    await this.#drain()
    if (!isTogether) return
    try {
      await this.#sender.restore([...asked, ...this.#watched])
      await this.#allotments.renew()
      this.#save(savedAtOnce)
    } catch (error) {
      if (!(error instanceof RedisAwayError)) this.#failed(error)
    }
  }

  /** The secret of an earlier start. A new one is noted before a bill has a name by it. */
  #firstSecret(): string {
    const noted = this.#outbox.note(SECRET_NOTE)
    if (noted !== undefined) return noted
    const { firstSecret } = this.#options.redis
    this.#outbox.setNote(SECRET_NOTE, firstSecret)
    return firstSecret
  }

  /** Reports a failure once, until something is written again. */
  #failed(error: unknown): void {
    this.#trouble = ledgerFault(error)
    if (!this.#isFailing) this.#options.onFailure(error)
    this.#isFailing = true
  }
}
