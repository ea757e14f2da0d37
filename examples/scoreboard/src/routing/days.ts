const dayMs = 86_400_000

/** A game belongs to the day on which it starts in the eastern United States, wherever the reader is. */
export const leagueZone = 'America/New_York'

const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone: leagueZone, dateStyle: 'short' })

/** The day of the league that a moment belongs to, `YYYY-MM-DD`. */
export const today = (moment: Date = new Date()): string => dayIn.format(moment)

/** The day so many days after another, which may be negative. */
export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

const [firstYear, lastYear] = [1850, new Date().getUTCFullYear() + 1]

/** Whether there may be such a season. It is named by a year, by which it ends or in which it begins. */
export const isSeason = (year: number): boolean => year >= firstYear && year <= lastYear

/** Whether a text of the form `YYYY-MM-DD` is a day on which a game may have been played, or may be. */
export function isDay(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(date)) return false
  return isSeason(moment.getUTCFullYear())
}
