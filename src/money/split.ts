/**
 * Divides a whole amount by weights into whole parts that add up to it. The largest remainders are rounded
 * up. Fractions of the amount go to the first part.
 */
export function split(amount: number, weights: readonly number[]): readonly number[] {
  if (weights.length === 1) return [amount]
  const whole = Math.trunc(amount)
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const exact = weights.map((weight) => (whole * weight) / sum)
  const parts = exact.map(Math.trunc)
  const left = whole - parts.reduce((all, part) => all + part, 0)
  const byRemainder = exact
    .map((part, index) => ({ index, remainder: part - Math.trunc(part) }))
    .toSorted((a, b) => b.remainder - a.remainder)
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1
  parts[0] = (parts[0] ?? 0) + (amount - whole)
  return parts
}
