import { getHeapStatistics } from 'node:v8'
import { several } from '../specification/operation.ts'
import type { Arguments } from '../specification/operation.ts'
import type { Bought, BoughtAnswer, Position } from './answer-store.ts'

const mebibyte = 1_048_576

/** Maximum bytes of answers of accounts that came once: a 64th of the heap, from 4 to 16 MiB. */
const most = Math.floor(
  Math.min(16 * mebibyte, Math.max(4 * mebibyte, getHeapStatistics().heap_size_limit / 64)),
)

/**
 * Bytes of a region, of each answer beside its text, and of each argument beside its own. They are left free in the
 * ring, and so counted.
 */
const [regionBytes, pieceBytes, valueBytes] = [256, 512, 32]

/** Bytes of the arguments of a call: hundreds of ids, or a text of a client. */
const bytesOfArguments = (values: Arguments): number =>
  Object.values(values)
    .flatMap(several)
    .reduce<number>((sum, value) => sum + valueBytes + String(value).length, 0)

/** The place of an account's answers in the ring buffer. */
interface Region {
  readonly start: number
  readonly end: number
  readonly bought: readonly Piece[]
  readonly position: Position
}

/** An account's answers, and how far those of other instances are among them. */
interface Parked {
  readonly bought: readonly Bought[]
  readonly position: Position
}

/** A bought answer without its text. */
type Piece =
  | Exclude<Bought, BoughtAnswer>
  | { readonly answer: Omit<BoughtAnswer, 'text'>; readonly bytes: number }

/**
 * Keeps the answers of accounts that came once as bytes, by key. They take a sixth of the memory of rows and
 * no time of the garbage collector. A ring buffer: the oldest are overwritten.
 */
export class ParkedAnswers {
  readonly #size: number
  #ring: Buffer | null = null
  #next = 0
  /** In the order of the ring. The first one is overwritten next. */
  readonly #regions = new Map<string, Region>()

  constructor(size = most) {
    this.#size = size
  }

  /** Stores a key's answers. Returns false if they are too large. */
  park(apiKey: string, bought: readonly Bought[], position?: Position): boolean {
    const sizes = bought.map((one) => (one.kind === 'answer' ? Buffer.byteLength(one.text) : 0))
    const named = bought.map((one) => (one.kind === 'answer' ? bytesOfArguments(one.arguments) : 0))
    const bytes = [...sizes, ...named].reduce(
      (sum, size) => sum + size,
      regionBytes + apiKey.length + pieceBytes * bought.length,
    )
    if (bytes > this.#size / 4) return false
    const start = this.#makeRoom(bytes)
    this.#ring ??= Buffer.allocUnsafeSlow(this.#size)
    let at = start
    for (const one of bought) if (one.kind === 'answer') at += this.#ring.write(one.text, at)
    this.#regions.set(apiKey, {
      start,
      end: start + bytes,
      bought: bought.map((one, nth) => pieceOf(one, sizes[nth] ?? 0)),
      position,
    })
    this.#next = start + bytes
    return true
  }

  /** Takes a key's answers out; undefined if there are none. */
  take(apiKey: string): Parked | undefined {
    const region = this.#regions.get(apiKey)
    if (!region) return undefined
    this.#regions.delete(apiKey)
    let at = region.start
    const bought = region.bought.map((one) =>
      'answer' in one
        ? { ...one.answer, text: this.#ring?.toString('utf8', at, (at += one.bytes)) ?? '{}' }
        : one,
    )
    return { bought, position: region.position }
  }

  /** Corrects times after `moment`, because the clock was ahead. */
  setBack(moment: number): void {
    for (const [apiKey, region] of this.#regions) {
      const bought = region.bought.map((one) =>
        'answer' in one ? { ...one, answer: asOf(one.answer, moment) } : asOf(one, moment),
      )
      this.#regions.set(apiKey, { ...region, bought })
    }
  }

  /** Makes room for so many bytes by dropping what they overwrite. Returns their position. */
  #makeRoom(bytes: number): number {
    if (this.#next + bytes > this.#size) {
      this.#drop((region) => region.start >= this.#next)
      this.#next = 0
    }
    const [start, end] = [this.#next, this.#next + bytes]
    this.#drop((region) => region.start < end && region.end > start)
    return start
  }

  /** Drops the oldest regions while the condition holds. */
  #drop(isInTheWay: (region: Region) => boolean): void {
    for (const [apiKey, region] of this.#regions) {
      if (!isInTheWay(region)) return
      this.#regions.delete(apiKey)
    }
  }
}

function pieceOf(one: Bought, bytes: number): Piece {
  if (one.kind !== 'answer') return one
  const { text: _text, ...answer } = one
  return { answer, bytes }
}

/** An answer with its time corrected to `moment` if it is later. */
export const asOf = <T extends { readonly boughtAt: number }>(one: T, moment: number): T =>
  one.boughtAt > moment ? { ...one, boughtAt: moment } : one
