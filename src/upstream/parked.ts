import { getHeapStatistics } from 'node:v8'
import type { Bought, BoughtAnswer } from './answer-store.ts'

const mebibyte = 1_048_576

/** Bytes kept of accounts that came once: a 64th of the heap, within 4 and 16 MiB. */
const most = Math.floor(
  Math.min(16 * mebibyte, Math.max(4 * mebibyte, getHeapStatistics().heap_size_limit / 64)),
)

/** Where an account's answers stand in the ring, one after the other. */
interface Region {
  readonly start: number
  readonly end: number
  readonly bought: readonly Piece[]
}

/** What was bought, the text of its answer apart. */
type Piece =
  | Exclude<Bought, BoughtAnswer>
  | { readonly answer: Omit<BoughtAnswer, 'text'>; readonly bytes: number }

/**
 * Keeps what accounts bought that came once as the bytes of their answers, which take a sixth of the memory of their rows and none of
 * the collector's time. A ring: the oldest are overwritten.
 */
export class ParkedAnswers<Account> {
  readonly #size: number
  readonly #onDrop: (account: Account) => void
  #ring: Buffer | null = null
  #next = 0
  /** In the order of the ring: the first is the next to be overwritten. */
  readonly #regions = new Map<Account, Region>()

  constructor(onDrop: (account: Account) => void, size = most) {
    this.#size = size
    this.#onDrop = onDrop
  }

  /** Keeps what an account has bought. Answers with false where it is too much. */
  park(account: Account, bought: readonly Bought[]): boolean {
    const sizes = bought.map((one) => (one.kind === 'answer' ? Buffer.byteLength(one.text) : 0))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    if (bytes > this.#size / 4) return false
    const start = this.#makeRoom(bytes)
    this.#ring ??= Buffer.allocUnsafeSlow(this.#size)
    let at = start
    for (const one of bought) if (one.kind === 'answer') at += this.#ring.write(one.text, at)
    this.#regions.set(account, {
      start,
      end: at,
      bought: bought.map((one, nth) => pieceOf(one, sizes[nth] ?? 0)),
    })
    this.#next = at
    return true
  }

  /** What an account has bought, which is then no longer kept here; undefined where nothing is. */
  take(account: Account): readonly Bought[] | undefined {
    const region = this.#regions.get(account)
    if (!region) return undefined
    this.#regions.delete(account)
    let at = region.start
    return region.bought.map((one) =>
      'answer' in one
        ? { ...one.answer, text: this.#ring?.toString('utf8', at, (at += one.bytes)) ?? '{}' }
        : one,
    )
  }

  /** Counts what was bought after a moment as bought then. */
  setBack(moment: number): void {
    for (const [account, region] of this.#regions) {
      const bought = region.bought.map((one) =>
        'answer' in one ? { ...one, answer: asOf(one.answer, moment) } : asOf(one, moment),
      )
      this.#regions.set(account, { ...region, bought })
    }
  }

  /** Keeps nothing of an account any more. */
  forget(account: Account): void {
    this.#regions.delete(account)
  }

  /** Drops what stands where so many bytes will be written. Returns where that is. */
  #makeRoom(bytes: number): number {
    if (this.#next + bytes > this.#size) {
      this.#drop((region) => region.start >= this.#next)
      this.#next = 0
    }
    const [start, end] = [this.#next, this.#next + bytes]
    this.#drop((region) => region.start < end && region.end > start)
    return start
  }

  /** Drops the oldest as long as they are such. */
  #drop(isInTheWay: (region: Region) => boolean): void {
    for (const [account, region] of this.#regions) {
      if (!isInTheWay(region)) return
      this.#regions.delete(account)
      this.#onDrop(account)
    }
  }
}

function pieceOf(one: Bought, bytes: number): Piece {
  if (one.kind !== 'answer') return one
  const { text: _text, ...answer } = one
  return { answer, bytes }
}

/** What was bought, by a clock that has been set back to a moment. */
export const asOf = <T extends { readonly boughtAt: number }>(one: T, moment: number): T =>
  one.boughtAt > moment ? { ...one, boughtAt: moment } : one
