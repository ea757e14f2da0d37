import { changed } from './variant.ts'

/** Rows are keyed by their number. */
export const numberedKeys = changed('numbered keys', [], (body, { answer, yields }) =>
  yields === 'search' || answer === 'row'
    ? body
    : Object.fromEntries(Object.values(body).map((row, nth) => [String(nth), row])),
)
