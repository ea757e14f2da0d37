import { dayInWords } from '../parts/day-in-words.ts'
import { dayAfter, today } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import { navigate } from '../routing/location.ts'
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

const nearnessOf = (date: string) => [...nearby].find(([days]) => dayAfter(today(), days) === date)?.[1]

/** What a list of games shows, and the choice between a day and its week. */
export function GamesHead({ date, isWeek, league }: GamesHeadProps) {
  const at = isWeek ? href.week : href.games
  const near = isWeek ? undefined : nearnessOf(date)
  return (
    <div className="games-head">
      <div>
        <h1>{isWeek ? 'Games of the week' : dayInWords(date)}</h1>
        <p className="under">
          {[near, league].filter(Boolean).join(' · ') || '\u00A0'}
          {date !== today() && (
            <>
              {' '}
              <span>
                · <a href={isWeek ? href.week(today()) : href.games()}>{isWeek ? 'This week' : 'Today'}</a>
              </span>
            </>
          )}
        </p>
      </div>
      <div className="games-tools">
        <nav className="segments" aria-label="Period">
          <a href={href.games(date)} aria-current={isWeek ? undefined : 'page'}>
            Day
          </a>
          <a href={href.week(date)} aria-current={isWeek ? 'page' : undefined}>
            Week
          </a>
        </nav>
        <label>
          <span className="hidden">{isWeek ? 'A day of the week' : 'Day'}</span>
          <input
            type="date"
            value={date}
            onChange={({ target }) => target.value && navigate(at(target.value))}
          />
        </label>
      </div>
    </div>
  )
}
