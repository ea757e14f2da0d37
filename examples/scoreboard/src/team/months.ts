const dayMs = 86_400_000

export interface Month {
  /** Its first day, `YYYY-MM-DD`. */
  readonly first: string
  /** Weeks from Sunday to Saturday. A day that belongs to another month is null. */
  readonly weeks: readonly (readonly (string | null)[])[]
}

const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function monthOf(first: string): Month {
  const start = Date.parse(first)
  const [year = 0, month = 1] = first.split('-').map(Number)
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const before = new Date(start).getUTCDay()
  const cells = Array.from({ length: Math.ceil((before + days) / 7) * 7 }, (_, at) => {
    const day = at - before
    return day >= 0 && day < days ? isoOf(start + day * dayMs) : null
  })
  return {
    first,
    weeks: Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7)),
  }
}

/** The months in which the days lie, in order. */
export const monthsOf = (dates: readonly string[]): Month[] =>
  [...new Set(dates.map((date) => `${date.slice(0, 7)}-01`))].toSorted().map(monthOf)
