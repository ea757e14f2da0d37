/** How many letters have to be changed, added, left out or swapped to make one word of another. */
export function distance(a: string, b: string): number {
  let [before, last]: [readonly number[], readonly number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, at) => at),
  ]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const steps = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1)]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) steps.push((before[j - 2] ?? 0) + 1)
      row.push(Math.min(...steps))
    }
    ;[before, last] = [last, row]
  }
  return last[b.length] ?? 0
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .split(/[^\p{L}\p{N}&]+/u)
    .filter(Boolean)

/** The slips that are forgiven in a word: as many as search engines forgive, and none in three letters. */
const mostSlips = ({ length }: string) => (length < 4 ? 0 : length < 6 ? 1 : 2)

/**
 * The number of slips in a text by which a name is meant: each word of the text is like the beginning of one of
 * its words. Infinite if there are too many.
 */
export function slipsIn(text: string, name: string): number {
  const names = wordsOf(name)
  const fewest = wordsOf(text).map((word) => Math.min(...names.map((one) => slipsInBeginning(word, one))))
  return fewest.reduce((sum, count) => sum + count, 0)
}

/** A slip may make the beginning longer or shorter by a letter. */
function slipsInBeginning(word: string, name: string): number {
  const most = mostSlips(word)
  let fewest = Infinity
  for (let length = word.length - most; length <= word.length + most; length += 1)
    fewest = Math.min(fewest, distance(word, name.slice(0, length)))
  return fewest <= most ? fewest : Infinity
}

/** Parts of a text that may be free of its slips: its beginning and its end. */
export function probesOf(text: string): readonly string[] {
  const word = wordsOf(text).toSorted((a, b) => b.length - a.length)[0] ?? ''
  if (word.length < 4) return []
  const half = Math.ceil(word.length / 2)
  return [...new Set([word.slice(0, half), word.slice(-half), word.slice(0, 3), word.slice(1, 4)])]
}
