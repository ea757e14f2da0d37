interface Named {
  readonly name?: string | null
  readonly char6?: string | null
}

/** At most three letters that stand for a team: `Amber Falls A&M` → `AFA`, `Duke` → `DU`. */
export function initialsOf({ name, char6 }: Named): string {
  const words = (name ?? '').split(/[\s-]+/).filter((word) => /^\p{L}/u.test(word))
  const letters = words.map((word) => word.charAt(0)).slice(0, 3)
  const short = letters.length > 1 ? letters.join('') : (words[0] ?? char6 ?? '?').slice(0, 2)
  return short.toLocaleUpperCase('en')
}
