/** A name without case, accents and surplus space: what search compares. */
export function foldName(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

/**
 * The `folded` column of a row: its names folded, one a line. A team's are name, code and alternative name;
 * a player's and a coach's first and last name.
 */
export function foldNames(...names: (string | null)[]): string {
  return names.map((name) => foldName(name ?? '')).join('\n')
}

/** Shorter words than this are not looked up by their parts: almost every name has them. */
export const SHORTEST_PART = 3

const LONGEST_PART = 16

/** A word as far as parts of names are kept. */
export const partOf = (word: string): string => [...word].slice(0, LONGEST_PART).join('')

/** The ends of every word of folded names, each cut to its beginning: whatever a word holds, one of them starts with. */
export function partsOf(folded: string): Set<string> {
  const parts = new Set<string>()
  for (const word of folded.split(/\s+/)) {
    const letters = [...word]
    for (let from = 0; from <= letters.length - SHORTEST_PART; from++)
      parts.add(letters.slice(from, from + LONGEST_PART).join(''))
  }
  return parts
}
