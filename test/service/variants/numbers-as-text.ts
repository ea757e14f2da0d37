import { changed, eachValue } from './variant.ts'

/** Every number is a text. */
export const numbersAsText = changed('numbers as text', ['numbers'], (body) =>
  eachValue(body, (_, value) => (typeof value === 'number' ? String(value) : value)),
)
