/** A day in days since 1970-01-01 (UTC). */
export type Day = number

export const MINUTE = 60_000
const DAY = 1_440 * MINUTE

export const dayOf = (milliseconds: number): Day => Math.floor(milliseconds / DAY)

/** The first millisecond of a day. */
export const midnight = (day: Day): number => day * DAY

/** A moment as the service writes it: `YYYY-MM-DDTHH:MM:SS.000Z` (specification §1). */
export const timestampOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const yearOf = (day: Day): number => new Date(midnight(day)).getUTCFullYear()

/** The same date of the year before. */
export function yearBefore(day: Day): Day {
  const date = new Date(midnight(day))
  return dayOf(Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth(), date.getUTCDate()))
}
