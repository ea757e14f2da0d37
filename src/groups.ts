/** Groups a list's items by name, in the list's order. */
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
 * The values of several promises, or the first failure, after all have settled. A call that is still running
 * when the answer is sent would be on no bill.
 */
export async function allDone<const T extends readonly unknown[]>(
  several: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(several)
  return Promise.all(several)
}

/** Splits a list into parts of at most this size. */
export function chunks<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size)
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size))
}
