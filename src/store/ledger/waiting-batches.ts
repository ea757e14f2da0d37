import type { Batch, Outbox } from '../../money/files/outbox.ts'
import type { BatchSender } from './batch-sender.ts'
import { ledgerTimes } from './ledger-times.ts'
import type { LedgerTimes } from './ledger-times.ts'

export interface WaitingBatchesOptions {
  /** Told once of each process whose batches were sent though Redis has lost some before them. */
  readonly warn?: (message: string) => void
  readonly times?: LedgerTimes
}

const lacking =
  'Bills of an ended process were sent to Redis, which has lost others before them. Those may be missing.'

/**
 * Sends the batches that wait in an outbox. Those of another process are its own to send while it runs. After
 * its end they are sent here, also if Redis has lost earlier ones, which nobody has any more.
 */
export class WaitingBatches {
  readonly #sender: BatchSender
  readonly #options: WaitingBatchesOptions
  /** Processes whose batches stay in the outbox, and since when. */
  #left = new Map<string, number>()
  readonly #toldOf = new Set<string>()

  constructor(sender: BatchSender, options: WaitingBatchesOptions) {
    this.#sender = sender
    this.#options = options
  }

  /** The processes whose batches stay in the outbox. */
  get left(): ReadonlySet<string> {
    return new Set(this.#left.keys())
  }

  /** After an outage, each process gets time again to connect and to send its own batches. */
  startAgain(): void {
    for (const process of this.#left.keys()) this.#left.set(process, performance.now())
  }

  /**
   * Sends the batches in order. While this process is together with the others, its own go to Redis directly,
   * and another process first has time to send its own. Returns whether any was sent. Throws RedisAwayError.
   */
  async send(outbox: Outbox, isTogether: boolean): Promise<boolean> {
    let isAnySent = false
    const left = new Map<string, number>()
    const skipped = new Set(isTogether ? [this.#sender.process] : [])
    for (let batch = outbox.first(skipped); batch; batch = outbox.first(skipped)) {
      const { process } = batch
      const since = this.#left.get(process) ?? performance.now()
      const isEarly = isTogether && !this.#isLong(performance.now() - since)
      if (!isEarly && (await this.#isSent(batch, since))) {
        outbox.remove(batch)
        isAnySent = true
        continue
      }
      skipped.add(process)
      left.set(process, since)
    }
    this.#left = left
    if (left.size === 0) this.#sender.forgetLeft()
    return isAnySent
  }

  async #isSent(batch: Batch, since: number): Promise<boolean> {
    const { process } = batch
    if (process === this.#sender.process) return Boolean(await this.#sender.apply(batch, { isForced: true }))
    const mayLack = (unseenMs: number) => this.#isLong(unseenMs) && this.#isLong(performance.now() - since)
    const sent = await this.#sender.applyLeft(batch, mayLack)
    if (sent === 'LACKING' && !this.#toldOf.has(process)) {
      this.#toldOf.add(process)
      this.#options.warn?.(lacking)
    }
    return sent !== null
  }

  #isLong(ms: number): boolean {
    return ms > (this.#options.times ?? ledgerTimes).endedAfter
  }
}
