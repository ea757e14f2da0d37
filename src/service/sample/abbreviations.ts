const initials: Readonly<Record<string, string>> = { State: 'S', Tech: 'T', 'A&M': 'AM' }

/**
 * Possible abbreviations of a college's name, three to five letters, the best first: `ESS` for Elder Springs
 * State, `AFU` for Amber Falls, `HALV` for Halvern, `HALST` for Halvern State, `HTECH` for Halvern Tech,
 * `HTU` if another team has that.
 */
export function abbreviationsOf(place: string, suffix: string): string[] {
  const [first = '', second = ''] = place.toUpperCase().split(' ')
  const kind = suffix.trim()
  const end = initials[kind] ?? ''
  const one = first.slice(0, 1)
  if (second === '' && end === '') return [first.slice(0, 4), first.slice(0, 5), `${first.slice(0, 3)}U`]
  if (second === '')
    return [
      kind === 'Tech' ? `${one}TECH` : `${first.slice(0, 3)}${kind === 'State' ? 'ST' : end}`,
      kind === 'Tech' ? `${one}TU` : `${first.slice(0, 3)}${end}`,
    ]
  const two = `${one}${second.slice(0, 1)}`
  const rest = end === '' ? 'U' : end
  return [
    `${two}${rest}`,
    `${first.slice(0, 2)}${second.slice(0, 1)}${rest}`,
    `${one}${second.slice(0, 2)}${rest}`,
  ]
}
