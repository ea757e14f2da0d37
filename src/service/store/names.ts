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

/** Shorter words are not searched by their parts, because almost every name contains them. */
export const SHORTEST_PART = 3

const LONGEST_PART = 16

/** The length to which parts of names are cut. */
export const partOf = (word: string): string => [...word].slice(0, LONGEST_PART).join('')

/** The suffixes of all words of folded names, each cut: every part of a word is the beginning of a suffix. */
export function partsOf(folded: string): Set<string> {
  const parts = new Set<string>()
  for (const word of folded.split(/\s+/)) {
    const letters = [...word]
    for (let from = 0; from <= letters.length - SHORTEST_PART; from++)
      parts.add(letters.slice(from, from + LONGEST_PART).join(''))
  }
  return parts
}
