/** A list's items by what they have in common, in the list's order. */
export function grouped<T>(list: readonly T[], groupOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of list) {
    const group = groups.get(groupOf(item))
    if (group) group.push(item)
    else groups.set(groupOf(item), [item])
  }
  return groups
}

/**
 * The values of several promises, or the first failure among them: either way once all are done, so that no call outlives what it was
 * for. A call that is still under way when an answer is sent would be on nobody's bill.
 */
export async function allDone<const T extends readonly unknown[]>(
  several: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(several)
  return Promise.all(several)
}

/** A list cut into parts of at most that size. */
export function chunks<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size)
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size))
}
