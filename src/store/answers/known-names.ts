/** Bits of the set: 1 MiB. With half a million names, one unknown name in 500 counts as known. */
const bits = 2 ** 23

/** Positions of a name in the set. */
const positions = 4

/**
 * A set of names that may be asked cheaply and takes the same memory for any number of names: a Bloom filter.
 * It may count an unknown name as known, never the other way round. Names are hashes as base64, so their own
 * characters are the positions.
 */
export class KnownNames {
  readonly #bits = new Uint32Array(bits / 32)

  add(name: string): void {
    for (let nth = 0; nth < positions; nth += 1) {
      const at = positionOf(name, nth)
      this.#bits[at >>> 5] = (this.#bits[at >>> 5] ?? 0) | (1 << (at & 31))
    }
  }

  has(name: string): boolean {
    for (let nth = 0; nth < positions; nth += 1) {
      const at = positionOf(name, nth)
      if (((this.#bits[at >>> 5] ?? 0) & (1 << (at & 31))) === 0) return false
    }
    return true
  }
}

/** The bit that the nth ten characters of a name stand for. Short names begin again at their end. */
function positionOf(name: string, nth: number): number {
  let hash = 0
  for (let at = nth * 10; at < nth * 10 + 10; at += 1)
    hash = (Math.imul(hash, 31) + name.charCodeAt(at % name.length)) | 0
  return Math.imul(hash, 0x9e3779b1) >>> 9
}
