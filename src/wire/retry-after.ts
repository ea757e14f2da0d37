import type { Incoming } from './transport.ts'

/**
 * Milliseconds that an answer asks to wait before the next try, by `Retry-After` in seconds or as a date; 0 if it
 * asks for none. A date is compared with the answer's own `Date`, because the clocks may differ; without one,
 * with `now`.
 */
export function pauseAsked({ 'retry-after': header, date }: Incoming['headers'], now: number): number {
  const text = String(header ?? '').trim()
  if (text === '') return 0
  const seconds = Number(text)
  const pause = Number.isNaN(seconds) ? timeOf(text) - (timeOf(String(date)) || now) : seconds * 1_000
  return pause > 0 ? pause : 0
}

/** The oldest form of a date in HTTP names no zone, and means UTC, too. */
const timeOf = (text: string): number => Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`)
