/** A stream of numbers in [0, 1), the same on every machine for the same key. */
export type Random = () => number

/** The stream that belongs to a key: sfc32, its state filled from the key's characters. */
export function randomOf(...key: readonly (string | number)[]): Random {
  let [a, b, c, d] = stateOf(key.join('/'))
  const next = () => {
    const mixed = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + mixed
    return (mixed >>> 0) / 4_294_967_296
  }
  for (let turn = 0; turn < 12; turn++) next()
  return next
}

function stateOf(key: string): [number, number, number, number] {
  let [a, b, c] = [0x9e3779b9, 0x243f6a88, 0xb7e15162]
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    a = Math.imul(a ^ code, 597_399_067)
    b = Math.imul(b ^ (code + a), 2_869_860_233)
    c = Math.imul(c ^ (code + (b >>> 7)), 951_274_213)
  }
  return [a, b, c, 1]
}

/** A whole number of 0 to `count - 1`. */
export const below = (random: Random, count: number): number => Math.floor(random() * count)

/** A whole number of `low` to `high`, both included. */
export const between = (random: Random, low: number, high: number): number =>
  low + below(random, high - low + 1)

export const chance = (random: Random, share: number): boolean => random() < share

/**
 * A number from a bell curve around 0 with deviation 1, by the sum of uniform ones: no transcendental
 * function.
 */
export function bell(random: Random): number {
  let sum = -6
  for (let turn = 0; turn < 12; turn++) sum += random()
  return sum
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[below(random, list.length)] as T // The index is within the list, which is never empty here.
}

/** A random index with the given weights; the last one if all weights are zero. */
export function weighted(random: Random, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return index
  }
  return weights.length - 1
}

export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const order = list.map((item) => ({ item, key: random() }))
  return order.toSorted((one, other) => one.key - other.key).map(({ item }) => item)
}
