import { getHeapStatistics } from 'node:v8'
import { LRUCache } from 'lru-cache'
import { keptSoFar } from '../upstream/entry.ts'
import type { PlanEntry, Usage } from '../upstream/request.ts'
import type { Touched } from '../upstream/touched.ts'
import type { Upstream, World } from '../upstream/world.ts'
import { Packed } from './packed.ts'
import type { OperationSpan } from './trace.ts'

/** Bytes of answers that are kept: a sixteenth of the heap, 100 MB at most. */
const mostAnswers = Math.floor(Math.min(100e6, getHeapStatistics().heap_size_limit / 16))

/** Bytes of a kept answer beside its text, and of each row that it refers to. */
const [answerBytes, rowBytes] = [1_024, 24]

/** An answer that was made of rows at hand alone. */
export interface MadeAtHand {
  readonly world: World
  readonly touched: Touched
  /** The moment at which its rows were judged, and until when they are fresh. */
  readonly madeAt: number
  readonly freshUntil: number
  /** The JSON without its end: what remains of the budget may follow. */
  readonly text: string
  readonly lines: readonly PlanEntry[]
  readonly spent: Usage
  readonly operation: string | undefined
  readonly span: OperationSpan
}

/** An answer as bytes, which can be sent again as long as its rows are what they were. */
export class KeptAnswer {
  readonly made: MadeAtHand
  readonly packed: Packed
  #freshUntil: number
  readonly #freshParcels: number
  /** What had been kept when its rows were last compared. */
  #comparedAt: number
  /** The stock's moment at which it was last asked for. */
  usedAt = 0

  constructor(made: MadeAtHand) {
    this.made = made
    this.packed = new Packed(made.text)
    this.#freshUntil = made.freshUntil
    this.#freshParcels = made.touched.freshParcels(made.madeAt)
    this.#comparedAt = keptSoFar()
  }

  /** The end of its JSON, with what a client may still spend now. */
  endFor(client: string): string {
    const remaining = this.made.world.remainingFor(client)
    return remaining === null ? '}}}' : `,"remaining":${remaining}}}}`
  }

  get freshUntil(): number {
    return this.#freshUntil
  }

  get size(): number {
    return this.packed.size + answerBytes + rowBytes * this.made.touched.count
  }

  /** Whether executing the query again would give the same answer. */
  holds(world: World, now: number): boolean {
    if (world !== this.made.world || world.isRefused || this.#freshUntil <= now) return false
    return this.#comparedAt === keptSoFar() || this.#compare(now)
  }

  /** Counts the answer and its rows as used now, so that they are evicted later. */
  use(): void {
    const { world, touched } = this.made
    this.usedAt = world.usedAt
    touched.use(world.usedAt)
  }

  /** Compares the rows with what they were. Another row may have told that a game or a season is over, so they are judged again. */
  #compare(now: number): boolean {
    const { touched, madeAt } = this.made
    if (touched.hasChangedSince(this.#comparedAt)) return false
    if (touched.freshParcels(madeAt) !== this.#freshParcels) return false
    this.#freshUntil = touched.freshUntil(madeAt) ?? 0
    this.#comparedAt = keptSoFar()
    return this.#freshUntil > now
  }
}

/** Keeps answers as bytes, so that the same request need not be executed again while nothing of its answer has changed. */
export class AnswerCache {
  readonly #kept: LRUCache<string, KeptAnswer>

  constructor(upstream: Upstream, mostBytes = mostAnswers) {
    this.#kept = new LRUCache({ maxSize: mostBytes, sizeCalculation: ({ size }, key) => size + key.length })
    upstream.onEvict((lastUsedAt) => this.#drop(lastUsedAt))
  }

  /** An answer that still holds, whose rows count as used now. */
  find(key: string, world: World, now: number): KeptAnswer | undefined {
    const answer = this.#kept.get(key)
    if (!answer) return undefined
    if (!answer.holds(world, now)) {
      this.#kept.delete(key)
      return undefined
    }
    answer.use()
    return answer
  }

  keep(key: string, made: MadeAtHand): KeptAnswer {
    const answer = new KeptAnswer(made)
    answer.use()
    this.#kept.set(key, answer)
    return answer
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  /** Drops the answers whose rows are about to be evicted: they would be held, and counted nowhere. */
  #drop(lastUsedAt: number): void {
    for (const [key, { usedAt }] of this.#kept.entries()) if (usedAt <= lastUsedAt) this.#kept.delete(key)
  }
}
