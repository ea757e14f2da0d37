import { useEffect, useRef } from 'react'
import { GameCountsDocument } from 'statline-client'
import { dayAfter, today } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import { useByDay } from '../parts/by-day.ts'
import './day-strip.css'

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' })
const weekday = inUtc({ weekday: 'short' })
const monthDay = inUtc({ month: 'short', day: 'numeric' })
const long = inUtc({ weekday: 'long', month: 'long', day: 'numeric' })

const counted = (count: number | undefined) =>
  count === undefined ? '' : count === 0 ? 'no games' : `${count} game${count === 1 ? '' : 's'}`

/** The number of games of each day, if it costs little or the reader agrees. The day’s own bill comes first. */
export function useCounts(date: string, isReady: boolean) {
  const days = Array.from({ length: 7 }, (_, at) => dayAfter(date, at - 3))
  const { answer, extra } = useByDay(GameCountsDocument, days, date, !isReady)
  const games = answer?.data.league
  const lists = games && [games.day1, games.day2, games.day3, games.day4, games.day5, games.day6, games.day7]
  const counts = days.map((day, at) => (answer?.days.has(day) ? lists?.[at]?.length : undefined))
  return { days, counts, extra }
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
              <span className="count">{counted(counts[at])}</span>
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
