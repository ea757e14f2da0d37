/** A column as a number. NaN for what is none: a service may send an object, which `Number` may throw at. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN

/** A column as a text that others are sorted by. Empty for an object, which `String` may throw at. */
export const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? '' : String(value)

/** Whether a flag is set, in any of the spellings that it may come in. */
export const isSet = (value: unknown): boolean => value === true || value === 'true' || numberOf(value) === 1
