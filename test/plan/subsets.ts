/** Every subset of a list. */
export function subsets<T>(list: readonly T[]): T[][] {
  const [first, ...rest] = list
  if (first === undefined) return [[]]
  return subsets(rest).flatMap((subset) => [subset, [first, ...subset]])
}
