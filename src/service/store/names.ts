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
