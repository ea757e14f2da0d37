const form = /^(\d)\s*(?:-|'|’|′|ft\.?)\s*(\d{1,2})?\s*(?:"|”|″|''|in\.?)?$/

/** A height as `feet-inches`, from `6-4`, `6'4"` and `6 ft 4 in`; null if it is none of a person. */
export function heightOf(text: string): string | null {
  const [, feet = '', inches = '0'] = form.exec(text.trim()) ?? []
  const isOfPerson = Number(feet) >= 3 && Number(feet) <= 8 && Number(inches) <= 11
  return isOfPerson ? `${feet}-${Number(inches)}` : null
}
