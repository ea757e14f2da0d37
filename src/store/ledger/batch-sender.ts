import { randomBytes } from 'node:crypto'
import { dayOf } from '../../money/ledger-store.ts'
import type { Grant } from '../../money/ledger-store.ts'
import type { Batch } from '../../money/files/outbox.ts'
import type { Sums, Whose } from '../../money/shared-ledger.ts'
import { ConfirmedBatches } from './confirmed-batches.ts'
import type { SentBatch } from './confirmed-batches.ts'
import type { Allotted, Reply, Wish } from './allotments.ts'
import { ledgerTimes } from './ledger-times.ts'
import type { LedgerTimes } from './ledger-times.ts'
import { allotScript, applyScript, beatScript, leaveScript } from './scripts.ts'
import { namedClients, storedRow, wired } from './wire.ts'
import type { WireChange, Wiring } from './wire.ts'
import { OwnSums } from './own-sums.ts'
import { RedisAwayError } from '../redis/connection.ts'
import type { RedisConnection } from '../redis/connection.ts'
import type { Script } from '../redis/script.ts'
import { ledgerPrefix } from './spent-days.ts'

/** Days kept: a year, and the month before it to compare with. */
const keptDays = 400

const unsettled = 'Redis waits until all instances have sent what they have.'

export interface BatchSenderOptions extends Wiring {
  readonly redis: RedisConnection
  readonly clock: () => number
  readonly times?: LedgerTimes
}

interface Called {
  /** The name of a key that all instances use. */
  readonly nameOf: (key: string) => string
  /** The JSON of a batch, with the names that all instances use now. */
  readonly namesIn: (text: string) => string
  /** Called when Redis has lost batches, before they are sent again. Keys may have new names after it. */
  readonly onLost: () => Promise<void>
  /** Called with the sums of the others whenever Redis has sent them. */
  readonly onSums: (whose: Whose, elsewhere: Sums) => void
  /** Called with what this process still holds of budgets, and whether it is asked to give that back. */
  readonly onAllotted: (allotted: readonly Allotted[]) => void
  /** Called as long as Redis lacks what some instances have. */
  readonly onUnsettled: () => void
}

/** How a batch is sent. */
interface Sending {
  /** Whether it has to be applied although a budget may refuse it: its calls were made. */
  readonly isForced: boolean
  /** The own batch before this one, if it is still being sent: resolves with whether Redis has it. */
  readonly before?: Promise<boolean>
}

/** What a heartbeat is for. */
interface Beat {
  /** Reservations are judged at that many milliseconds from now. */
  readonly aheadMs?: number
  /** For how many milliseconds Redis waits for all instances to send what they have. */
  readonly settlingMs?: number
  /** Whether it waits only if some of them are missing. */
  readonly isIfMissing?: boolean
  /** The last batch of this process, if Redis has been sent all; else -1. */
  readonly complete?: number
}

/** The result of the scripts. */
interface Answered {
  /** Whether earlier batches are missing. */
  readonly gap?: true
  /** With a gap: milliseconds since the process was last heard of. */
  readonly unseen?: number
  /** The number of this process's last batch that Redis knows. */
  readonly last: number
  /** The number of batches of all processes that Redis has applied. Not with a gap. */
  readonly applied?: number
  /** As many as were known of when the script was sent. */
  readonly known: number
  /** While instances send again what Redis has lost: for how many milliseconds at most. Sums are not complete. */
  readonly unsettled?: number
  /** Only of `applyScript`. */
  readonly granted?: List<0 | 1 | 2>
  readonly allotted?: List<readonly [readonly [string, Whose['kind'], string], number, 0 | 1]>
  readonly sums?: List<readonly [string, Whose['kind'], string, readonly number[]]>
  /** Only of `beatScript`: the number of instances, and Redis' time. */
  readonly instances?: number
  readonly now?: number
}

/** Lua encodes an empty list as an empty object. */
type List<T> = readonly T[] | Record<string, never>

/**
 * Sends the batches of the ledger to Redis. Batches of a process are numbered: a batch that is sent again
 * because its answer was lost is applied once, and a Redis that comes back with an older state gets the lost
 * batches again. Until all instances have done that, Redis grants nothing, and its sums are not used.
 */
export class BatchSender {
  /** The id of this process in Redis. */
  readonly process = randomBytes(9).toString('base64url')
  readonly own = new OwnSums()
  /** The number of instances, as last reported; infinite if never. */
  instances = Number.POSITIVE_INFINITY
  readonly #options: BatchSenderOptions
  readonly #times: LedgerTimes
  /** The clients with a budget of their own, if all others share one. */
  readonly #named: string
  readonly #called: Called
  readonly #confirmed = new ConfirmedBatches()
  /** The last batches that were counted as left, by their processes. */
  readonly #left = new Map<string, number>()
  /** The number of batches that Redis has applied, as last reported. If it falls, Redis has lost data. */
  #applied = 0
  /** Redis' time in the last heartbeat's reply. */
  #heardAt = 0
  /**
   * The number of instances, as Redis has told this process; 0 before. Nobody waits for a process that was started
   * meanwhile: it must not count in place of one that has spent something.
   */
  #known = 0

  constructor(options: BatchSenderOptions, called: Called) {
    this.#options = options
    this.#times = options.times ?? ledgerTimes
    this.#named = namedClients(options.clientBudgets)
    this.#called = called
  }

  /**
   * Has a batch of this process applied. Returns which reservations are granted. Throws RedisAwayError, also
   * if the batch before it could not be sent, or if Redis has lost data and grants nothing yet.
   */
  async apply(batch: Batch, { isForced, before }: Sending): Promise<readonly Grant[]> {
    let { changes, sent } = this.#wired(batch)
    let answered = await this.#sendOwn(sent, isForced, batch.number - 1)
    if (answered.gap) {
      if ((await before) === false) throw new RedisAwayError('An earlier batch is not sent.')
      if (!isForced) {
        // What was lost is sent again later: until then calls do not wait for it.
        await this.#settle()
        throw new RedisAwayError(unsettled)
      }
      const had = await this.#sendAgain(answered)
      ;({ changes, sent } = this.#wired(batch))
      answered = await this.#sendOwn(sent, true, had)
    }
    if (!answered.granted) {
      this.#hear(answered)
      throw new RedisAwayError(unsettled)
    }
    const granted = listOf(answered.granted)
    this.#confirmed.add(sent)
    this.own.count(changes, granted)
    this.#hear(answered)
    this.#called.onAllotted(
      listOf(answered.allotted).map(([[month, kind, name], own, recalled]) => ({
        whose: { month, kind, name },
        own,
        isRecalled: recalled === 1,
      })),
    )
    return granted.map((one) => (one === 2 ? 'HELD' : one === 1))
  }

  /** Sends wishes for allotments. Resolves with nothing while Redis lacks what some instances have. */
  async allot(wishes: readonly Wish[], number: number): Promise<readonly Reply[]> {
    const sent = wishes.map(({ whose: { month, kind, name }, limit, holds, most }) => [
      month,
      kind,
      name,
      limit,
      holds,
      most,
    ])
    const values = [this.process, String(number), String(this.#applied), this.#named, JSON.stringify(sent)]
    const reply = await this.#options.redis.run(allotScript, [ledgerPrefix], values)
    const replies = JSON.parse(String(reply)) as List<readonly [number, number, 0 | 1]> // written by the script
    return listOf(replies).flatMap(([own, others, recalled], at) => {
      const wish = wishes[at]
      return wish ? [{ whose: wish.whose, own, others, isRecalled: recalled === 1 }] : []
    })
  }

  /**
   * Has a batch applied that another process left. If Redis lacks the batch before it, `mayLack` decides, by
   * the milliseconds since that process was last heard of. Returns whether all before it was there; null if it
   * was not applied.
   */
  async applyLeft(batch: Batch, mayLack: (unseenMs: number) => boolean): Promise<'WHOLE' | 'LACKING' | null> {
    const { sent, changes } = this.#wired(batch)
    const first = await this.#send(batch.process, sent, true, batch.number - 1)
    if (first.gap && !mayLack(first.unseen ?? 0)) return null
    this.#hear(first.gap ? await this.#send(batch.process, sent, true, 0) : first)
    const isCounted = batch.number <= (this.#left.get(batch.process) ?? 0)
    if (isCounted) this.#tell(this.own.countLeft(changes, -1))
    return first.gap ? 'LACKING' : 'WHOLE'
  }

  /** Counts a batch that another process has left, until Redis has it. */
  countLeft(batch: Batch): void {
    this.#left.set(batch.process, batch.number)
    this.#tell(this.own.countLeft(this.#changesOf(batch), 1))
  }

  /** Nothing is left: what was not sent here, its own process has sent. */
  forgetLeft(): void {
    if (this.#left.size === 0) return
    this.#left.clear()
    this.#tell(this.own.forgetLeft())
  }

  #changesOf({ changes }: Batch): readonly WireChange[] {
    return changes.map((change) => wired(change, this.#options, this.#called.nameOf))
  }

  #wired(batch: Batch): { readonly changes: readonly WireChange[]; readonly sent: SentBatch } {
    const { number } = batch
    const changes = this.#changesOf(batch)
    const rows = batch.changes.map(({ opened }) => storedRow(opened, this.#options, this.#called.nameOf))
    return { changes, sent: { number, values: [JSON.stringify(changes), ...rows] } }
  }

  /** Books reservations as estimated if they expire within `aheadMs`. */
  async bookLost(aheadMs: number): Promise<void> {
    this.#hear(await this.#beat([], { aheadMs }))
  }

  /** This process ends. Sends what Redis has lost of it; then the others do not wait for it. */
  async leave(): Promise<void> {
    if (!(await this.restore([], true))) await this.restore([], true)
    await this.#options.redis.run(leaveScript, [ledgerPrefix], [this.process])
  }

  /**
   * Redis is back. If it was away for the others too, has all wait until each one has sent what it has spent alone.
   */
  async comeBack(): Promise<void> {
    this.#hear(await this.#beat([], { settlingMs: this.#times.endedAfter, isIfMissing: true }))
  }

  /**
   * Asks for sums, and sends this process's batches again that Redis has lost, because it came back with an
   * older state or with none. `hasNoOthers`: whether no batch of this process waits to be sent. Returns whether
   * Redis has what all instances have written.
   */
  async restore(asked: readonly Whose[], hasNoOthers = false): Promise<boolean> {
    const { newest } = this.#confirmed
    const answered = await this.#beat(asked, { ...(hasNoOthers && { complete: newest }) })
    if (answered.last >= newest) return this.#hear(answered)
    await this.#sendAgain(answered)
    return false
  }

  async #beat(
    asked: readonly Whose[],
    { aheadMs = 0, settlingMs = 0, isIfMissing = false, complete = -1 }: Beat = {},
  ): Promise<Answered> {
    const { clock } = this.#options
    const { missedAfter, silentAfter, endedAfter } = this.#times
    // An instance whose clock is ahead must not delete what the others need.
    const now = Math.min(clock(), this.#heardAt)
    const oldest = dayOf(Math.max(0, now - keptDays * 86_400_000)).replaceAll('-', '')
    const values = [
      this.process,
      String(aheadMs),
      JSON.stringify(asked.map(({ month, kind, name }) => [month, kind, name])),
      oldest,
      String(settlingMs),
      this.#named,
      String(this.#known),
      String(complete),
      isIfMissing ? '1' : '0',
      String(this.#heardAt),
      String(missedAfter),
      String(silentAfter),
      String(endedAfter),
    ]
    const answered = await this.#run(beatScript, values)
    this.#heardAt = answered.now ?? 0
    return answered
  }

  /** Has all instances wait until each one has sent again what Redis has lost, or has ended. */
  async #settle(): Promise<void> {
    const answered = await this.#beat([], { settlingMs: this.#times.endedAfter })
    this.#applied = answered.applied ?? 0
    this.#hear(answered)
  }

  /** Begins again if Redis loses data meanwhile. Returns the number of the last batch that Redis then has. */
  async #sendAgain({ last }: Answered): Promise<number> {
    await this.#settle()
    await this.#called.onLost()
    let had = last
    let settledAt = performance.now()
    for (const { number, values } of this.#confirmed.after(last)) {
      if (performance.now() - settledAt > this.#times.endedAfter / 2) {
        await this.#settle()
        settledAt = performance.now()
      }
      const renamed = { number, values: values.map((text) => this.#called.namesIn(text)) }
      const answered = await this.#send(this.process, renamed, true, had)
      if (answered.gap) return this.#sendAgain(answered)
      had = number
    }
    return had
  }

  /** A batch whose reply is lost may have been applied. If Redis then loses data, it is sent again in its order. */
  async #sendOwn(sent: SentBatch, isForced: boolean, required: number): Promise<Answered> {
    try {
      return await this.#send(this.process, sent, isForced, required)
    } catch (error) {
      if (error instanceof RedisAwayError) this.#confirmed.keep(sent)
      throw error
    }
  }

  /** `required`: the number of the batch of the same process that Redis must have; 0 for none. */
  async #send(
    process: string,
    { number, values }: SentBatch,
    isForced: boolean,
    required: number,
  ): Promise<Answered> {
    const progress = [process, String(number), isForced ? '1' : '0', String(required), String(this.#applied)]
    const all = [...progress, this.#named, ...values]
    return this.#run(applyScript, all)
  }

  async #run(one: Script, values: readonly string[]): Promise<Answered> {
    const known = this.#applied
    const reply = await this.#options.redis.run(one, [ledgerPrefix], values)
    return { ...(JSON.parse(String(reply)) as Omit<Answered, 'known'>), known } // written by the scripts
  }

  /**
   * Takes over sums, unless Redis has lost data and is not settled yet. Returns whether it has what all have written.
   * A reply may be heard after later ones. So it is compared with what was known when its script was sent.
   */
  #hear({ sums, instances, applied = 0, known, unsettled: ms }: Answered): boolean {
    const isNoticed = ms !== undefined
    const isLost = applied < known
    if (isNoticed || isLost) this.#called.onUnsettled()
    if (!isNoticed && isLost) {
      // If Redis is away again, this is noticed again.
      this.#settle().catch(() => {})
      return false
    }
    // Later replies were heard before, with later sums.
    if (!isNoticed && applied < this.#applied) return true
    this.#applied = applied
    if (isNoticed) return false
    if (instances !== undefined) this.instances = this.#known = Math.max(1, instances)
    for (const [month, kind, name, figures] of listOf(sums)) {
      const [tokens = 0, estimated = 0, bytes = 0, calls = 0, reserved = 0] = figures
      this.note({ month, kind, name }, { tokens, estimated, bytes, calls, reserved })
    }
    return true
  }

  /** Takes over the sums of all instances. */
  note(whose: Whose, all: Sums): void {
    this.own.noteAll(whose, all)
    this.#tell([whose])
  }

  /** Reports all sums that are known. */
  tellAll(): void {
    this.#tell(this.own.owners)
  }

  #tell(changed: readonly Whose[]): void {
    for (const whose of changed) this.#called.onSums(whose, this.own.elsewhere(whose))
  }
}

const listOf = <T>(list: List<T> | undefined): readonly T[] =>
  Array.isArray(list) ? (list as readonly T[]) : []
