export const decimal = (value: number | null | undefined, digits = 1): string =>
  value == null ? '–' : value.toFixed(digits).replace('-', '−')

export const whole = (value: number | null | undefined): string =>
  value == null ? '–' : String(Math.round(value)).replace('-', '−')

/** Made and attempted: `5–11`. */
export const madeOf = (made: number | null | undefined, tried: number | null | undefined): string =>
  tried == null ? '–' : `${whole(made)}–${whole(tried)}`

/**
 * The seasons of a player or coach: `2024–2026`; `2026` for a single one; nothing after the dash while they
 * continue.
 */
export const yearsOf = (begin: number | null, end: number | null): string =>
  begin === end ? `${begin ?? ''}` : `${begin ?? ''}–${end ?? ''}`

export const percent = (value: number | null | undefined): string =>
  value == null ? '–' : `${Math.round(value * 100)}%`

export const signed = (value: number | null | undefined): string =>
  value == null ? '–' : value > 0 ? `+${value}` : value === 0 ? 'even' : String(value).replace('-', '−')

export function ordinal(rank: number): string {
  const last = rank % 100 > 10 && rank % 100 < 14 ? 0 : rank % 10
  return `${rank}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`
}

const time = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const shortDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})

export const timeOf = (moment: string) => time.format(new Date(moment))
export const dayOf = (moment: string) => shortDay.format(new Date(moment))
export const wholeDayOf = (date: string) => longDay.format(new Date(date))

/** A statistic’s column in words: `three_point_field_goal_percentage` → `Three point field goal %`. */
export function wordsOf(column: string): string {
  const words = column.replaceAll('_', ' ').replace('percentage', '%')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const nameOf = (person: { firstName?: string | null; lastName?: string | null }): string =>
  [person.firstName, person.lastName].filter(Boolean).join(' ') || 'Unknown'
