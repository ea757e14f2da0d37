import { getHeapStatistics } from 'node:v8'
import { LRUCache } from 'lru-cache'
import { keptSoFar } from '../rows/entry.ts'
import type { PlanEntry, Usage } from '../account/plan-entry.ts'
import type { FreshVersions } from '../rows/row-version.ts'
import type { Touched } from '../rows/touched.ts'
import type { Account, DataQuality } from '../account/account.ts'
import type { Upstream } from '../account/upstream.ts'
import { Packed } from './packed.ts'
import type { OperationSpan } from './trace.ts'

/** Maximum bytes of kept answers: a sixteenth of the heap, at most 100 MB. */
const mostAnswers = Math.floor(Math.min(100e6, getHeapStatistics().heap_size_limit / 16))

/** Bytes of a kept answer in addition to its text, and of each line of its bill. */
const [answerBytes, lineBytes] = [1_024, 200]

/** An answer made from cached rows alone. */
export interface MadeBefore {
  readonly account: Account
  /** What the answer says of the quality of its data. */
  readonly quality: DataQuality | null
  readonly touched: Touched
  /** The time at which its rows were checked, the count of stored values then, and the rows that were fresh. */
  readonly madeAt: number
  readonly change: number
  readonly fresh: FreshVersions
  /** The JSON without its end, because the remaining budget is added to it. */
  readonly bytes: Buffer
  readonly lines: readonly PlanEntry[]
  readonly spent: Usage
  readonly operation: string | undefined
  readonly span: OperationSpan
}

/** An answer as bytes, which can be sent again until its rows change. */
export class KeptAnswer {
  readonly made: MadeBefore
  readonly packed: Packed
  #freshUntil: number
  /** The count of stored values when its rows were last compared. */
  #comparedAt: number
  /** The cache's time at its last use. */
  usedAt = 0

  constructor(made: MadeBefore) {
    this.made = made
    this.packed = new Packed(made.bytes)
    this.#freshUntil = made.fresh.until
    this.#comparedAt = made.change
  }

  /** The end of the JSON, with what the client may still spend. */
  endFor(client: string): string {
    const remaining = this.made.account.remainingFor(client)
    return remaining === null ? '}}}' : `,"remaining":${remaining}}}}`
  }

  get freshUntil(): number {
    return this.#freshUntil
  }

  get size(): number {
    const { touched, lines } = this.made
    return this.packed.size + answerBytes + touched.bytes + lineBytes * lines.length
  }

  /** Whether executing the query again would give the same answer. */
  holds(account: Account, now: number): boolean {
    if (account !== this.made.account || account.isRefused || this.#freshUntil <= now) return false
    if (account.dataQuality() !== this.made.quality) return false
    return this.#comparedAt === keptSoFar() || this.#compare(now)
  }

  /** Counts the answer and its rows as used now, so that they are evicted later. */
  use(): void {
    const { account, touched } = this.made
    this.usedAt = account.usedAt
    touched.use(account.usedAt)
  }

  /**
   * Compares the rows with their earlier state. They are judged again, because another row may have shown
   * that a game or a season is over.
   */
  #compare(now: number): boolean {
    const { touched, madeAt, fresh } = this.made
    if (touched.hasChangedSince(this.#comparedAt)) return false
    const judged = touched.fresh(madeAt)
    if (judged?.count !== fresh.count) return false
    this.#freshUntil = judged.until
    this.#comparedAt = keptSoFar()
    return this.#freshUntil > now
  }
}

/** Keeps answers as bytes, so that a repeated request is not executed while its rows are unchanged. */
export class AnswerCache {
  readonly #kept: LRUCache<string, KeptAnswer>

  constructor(upstream: Upstream, mostBytes = mostAnswers) {
    this.#kept = new LRUCache({ maxSize: mostBytes, sizeCalculation: ({ size }, key) => size + key.length })
    upstream.onEvict((lastUsedAt) => this.#drop(lastUsedAt))
  }

  has(key: string): boolean {
    return this.#kept.has(key)
  }

  /** An answer that is still valid; its rows count as used now. */
  find(key: string, account: Account, now: number): KeptAnswer | undefined {
    const answer = this.#kept.get(key)
    if (!answer) return undefined
    if (!answer.holds(account, now)) {
      this.#kept.delete(key)
      return undefined
    }
    answer.use()
    return answer
  }

  keep(key: string, made: MadeBefore): KeptAnswer {
    const answer = new KeptAnswer(made)
    answer.use()
    this.#kept.set(key, answer)
    return answer
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  /** Drops the answers whose rows are about to be evicted. They would keep the rows in memory, uncounted. */
  #drop(lastUsedAt: number): void {
    for (const [key, { usedAt }] of this.#kept.entries()) if (usedAt <= lastUsedAt) this.#kept.delete(key)
  }
}
