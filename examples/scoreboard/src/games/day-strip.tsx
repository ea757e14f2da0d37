import { useEffect, useRef } from 'react'
import { GameCountsDocument } from 'statline-client'
import { dayAfter, today } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { usePriced } from '../parts/priced.tsx'
import './day-strip.css'

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' })
const weekday = inUtc({ weekday: 'short' })
const monthDay = inUtc({ month: 'short', day: 'numeric' })
const long = inUtc({ weekday: 'long', month: 'long', day: 'numeric' })

/** The seven days around a day, as the variables of a query. */
export const daysFrom = (first: string) => ({
  day1: first,
  day2: dayAfter(first, 1),
  day3: dayAfter(first, 2),
  day4: dayAfter(first, 3),
  day5: dayAfter(first, 4),
  day6: dayAfter(first, 5),
  day7: dayAfter(first, 6),
})

const counted = (count: number | undefined) =>
  count === undefined ? '' : count === 0 ? 'no games' : `${count} game${count === 1 ? '' : 's'}`

/** How many games each day has, if it costs little or the reader agrees; the day’s own bill comes first. */
export function useCounts(date: string, isReady: boolean) {
  const days = daysFrom(dayAfter(date, -3))
  const shown = usePriced(GameCountsDocument, { ...days, ...league() }, { skip: !isReady })
  const games = shown.data?.league
  const counts = games && [games.day1, games.day2, games.day3, games.day4, games.day5, games.day6, games.day7]
  const { asks, agree } = shown
  return { days: Object.values(days), counts: counts?.map((day) => day?.length), asks, agree }
}

interface DayStripProps {
  readonly date: string
  /** The days with what is known of the number of their games. */
  readonly around: ReturnType<typeof useCounts>
}

/** The days around a day, with the number of their games. */
export function DayStrip({ date, around: { days, counts } }: DayStripProps) {
  const strip = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const list = strip.current
    if (list) list.scrollLeft = (list.scrollWidth - list.clientWidth) / 2 // the day itself in the middle
  }, [date])
  return (
    <nav className="strip" aria-label="Days">
      <a className="step" href={href.games(dayAfter(date, -7))}>
        <span aria-hidden="true">‹</span>
        <span className="hidden">A week earlier</span>
      </a>
      <ul ref={strip}>
        {days.map((day, at) => (
          <li key={day}>
            <a href={href.games(day)} aria-current={day === date ? 'date' : undefined}>
              <span className="hidden">{long.format(new Date(day))}</span>
              <span aria-hidden="true" className="weekday">
                {day === today() ? 'Today' : weekday.format(new Date(day))}
              </span>
              <span aria-hidden="true">{monthDay.format(new Date(day))}</span>
              <span className="count">{counted(counts?.[at])}</span>
            </a>
          </li>
        ))}
      </ul>
      <a className="step" href={href.games(dayAfter(date, 7))}>
        <span aria-hidden="true">›</span>
        <span className="hidden">A week later</span>
      </a>
    </nav>
  )
}
