import { changed } from './variant.ts'

/** Rows come in the opposite order. */
export const shuffledRows = changed('rows in any order', [], (body, { answer, yields }) =>
  yields === 'search' || answer === 'row' ? body : Object.fromEntries(Object.entries(body).toReversed()),
)
