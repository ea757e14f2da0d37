/** The number of letters that may differ. Short names such as `HOST` resemble too many others. */
const slips = ({ length }: string) => (length < 6 ? 1 : 2)

/** Among known names, the one from which a name differs by a slip or two; undefined if there is none. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let nearest: { readonly one: string; readonly distance: number } | undefined
  for (const one of known) {
    if (Math.abs(one.length - name.length) > slips(one)) continue
    const distance = distanceOf(name, one)
    if (distance <= slips(one) && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
      nearest = { one, distance }
  }
  return nearest?.one
}

/** The number of letters to insert, delete, replace or swap to turn one text into the other. */
export function distanceOf(a: string, b: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (isSame ? 0 : 1),
        isSwap ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY
