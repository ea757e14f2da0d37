/**
 * A column as a number. NaN for anything else: a service may send an object, for which `Number` can throw.
 */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN

/** A column as text for sorting. Empty for an object, for which `String` can throw. */
export const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? '' : String(value)

/** Whether a flag is set, in any spelling that services use. */
export const isSet = (value: unknown): boolean => value === true || value === 'true' || numberOf(value) === 1
