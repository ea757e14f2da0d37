/** Mulberry32: the same numbers on every machine. */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Draws from a list by Zipf's law: the nth comes up a nth as often as the first. */
export function zipf<T>(list: readonly T[], random: () => number): T {
  const total = list.reduce((sum, _, index) => sum + 1 / (index + 1), 0)
  let left = random() * total
  for (const [index, one] of list.entries()) if ((left -= 1 / (index + 1)) <= 0) return one
  const last = list.at(-1)
  if (last === undefined) throw new RangeError('Nothing can be drawn from an empty list.')
  return last
}
