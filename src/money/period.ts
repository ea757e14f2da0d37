import type { Spending } from './ledger-store.ts'

/** A month, a day or an hour (UTC): `2026-02`, `2026-02-14`, `2026-02-14T20`. */
export interface Period {
  readonly text: string
  /** Its first and its last day. */
  readonly from: string
  readonly to: string
  /** The text of the previous period of the same kind. */
  readonly before: string
}

type Time = Pick<Spending, 'day' | 'hour'>

/** Parses a period; null if the text is none. */
export function periodOf(text: string): Period | null {
  const [, month, day, hour] = /^(\d{4}-\d{2})(?:(-\d{2})(T\d{2})?)?$/.exec(text) ?? []
  if (month === undefined) return null
  const start = Date.parse(`${month}${day ?? '-01'}${hour ?? 'T00'}:00:00Z`)
  // Date.parse() takes February 31 for March 3, and hour 24 for the next day.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(text)) return null
  const last = (milliseconds: number, length: number) =>
    new Date(start - milliseconds).toISOString().slice(0, length)
  if (day === undefined) return { text, from: `${month}-01`, to: `${month}-31`, before: last(1, 7) }
  const whole = month + day
  return {
    text,
    from: whole,
    to: whole,
    before: hour === undefined ? last(86_400_000, 10) : last(3_600_000, 13),
  }
}

export const isHour = ({ text }: Period): boolean => text.includes('T')

/** Whether spending on one of the period's days is in the period. */
export const isWithin = ({ text }: Period, { day, hour }: Time): boolean => `${day}T${hour}`.startsWith(text)

/**
 * The same time in another period of the same kind: the same day of another month, the same hour of another day. Of
 * a day that the other month lacks, it is the day itself.
 */
export function timeIn(period: Period, before: Period, { day, hour }: Time): Time {
  const moved = `${period.text}${`${day}T${hour}`.slice(before.text.length)}`
  const [movedDay = day, movedHour = hour] = moved.split('T')
  return periodOf(movedDay) ? { day: movedDay, hour: movedHour } : { day, hour }
}
