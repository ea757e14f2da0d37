/** The date and time of a game. */
export interface Moment {
  /** The day in the eastern United States, `YYYY-MM-DD`. */
  readonly day: string
  /** The start, ISO 8601 UTC with milliseconds; null if the source has only the day. */
  readonly start: string | null
}

const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * Reads `12/31/2025`, `2025-12-31` and `2025-12-31T20:00Z`, without a zone in UTC. Null if the calendar
 * has no such day.
 */
export function momentOf(text: string): Moment | null {
  const local = american.exec(text)
  if (local) return onDay(Number(local[3]), Number(local[1]), Number(local[2]))
  const match = iso.exec(text)
  if (!match) return null
  const day = onDay(Number(match[1]), Number(match[2]), Number(match[3]))
  if (!day || match[4] === undefined) return day
  return atTime(day.day, match)
}

function onDay(year: number, month: number, date: number): Moment | null {
  const day = new Date(Date.UTC(year, month - 1, date))
  // Date takes 31 June for 1 July.
  if (day.getUTCFullYear() !== year || day.getUTCMonth() !== month - 1 || day.getUTCDate() !== date)
    return null
  return { day: day.toISOString().slice(0, 10), start: null }
}

function atTime(day: string, [, , , , hours, minutes, seconds = '00', zone = 'Z']: RegExpExecArray) {
  const start = new Date(`${day}T${hours}:${minutes}:${seconds}${zone}`)
  if (Number.isNaN(start.getTime())) return null
  return { day: easternDay(start), start: start.toISOString() }
}

const eastern = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' })

/**
 * A game’s day is the day in the eastern United States at its start: in UTC, a night game is on the next day.
 */
const easternDay = (start: Date): string => eastern.format(start)
