import { wholeDayOf } from '../parts/numbers.ts'
import { dayAfter, today } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import './games-head.css'

interface GamesHeadProps {
  readonly date: string
  readonly isWeek: boolean
  /** The league's name, once it is known. */
  readonly league: string | null | undefined
}

const nearby = new Map([
  [-1, 'Yesterday'],
  [0, 'Today'],
  [1, 'Tomorrow'],
])

/** The day in words, with its year if that is not this one. */
function dayInWords(date: string): string {
  const words = wholeDayOf(date)
  return date.slice(0, 4) === today().slice(0, 4) ? words.replace(/, \d{4}$/, '') : words
}

const nearnessOf = (date: string) => [...nearby].find(([days]) => dayAfter(today(), days) === date)?.[1]

/** What a list of games shows, and the choice between a day and its week. */
export function GamesHead({ date, isWeek, league }: GamesHeadProps) {
  const near = isWeek ? undefined : nearnessOf(date)
  return (
    <div className="games-head">
      <div>
        <h1>{isWeek ? 'Games of the week' : dayInWords(date)}</h1>
        <p className="under">{[near, league].filter(Boolean).join(' · ') || '\u00A0'}</p>
      </div>
      <nav className="segments" aria-label="Period">
        <a href={href.games(date)} aria-current={isWeek ? undefined : 'page'}>
          Day
        </a>
        <a href={href.week(date)} aria-current={isWeek ? 'page' : undefined}>
          Week
        </a>
      </nav>
    </div>
  )
}
