import { useFavourites } from '../parts/favourites.ts'
import { dayInWords } from '../parts/day-in-words.ts'
import { href } from '../routing/href.ts'
import { Filters, useFilter } from './filters.tsx'
import { GameCard } from './game-card.tsx'
import { grouped } from './listed.ts'
import type { Listed } from './listed.ts'

interface Day {
  readonly date: string
  /** Null if they could not be had. */
  readonly games: readonly Listed[] | null
}

function DayGames({ date, games, isShown }: Day & { isShown: (game: Listed) => boolean }) {
  const { ids } = useFavourites()
  if (games === null) return <p className="empty">The games of {dayInWords(date)} could not be loaded.</p>
  const groups = grouped(games.filter(isShown), ids)
  if (groups.length === 0) return null
  return (
    <section>
      <h2>
        <a href={href.games(date)}>{dayInWords(date)}</a>
      </h2>
      <ul className="cards">
        {groups
          .flatMap((group) => group.games)
          .map(({ gameId, card }) => (
            <li key={gameId}>
              <GameCard game={card} />
            </li>
          ))}
      </ul>
    </section>
  )
}

interface DaysProps {
  readonly days: readonly Day[]
  readonly conferences: readonly (readonly [string, string])[]
  /** Whether these are all days of the week. */
  readonly isWhole: boolean
}

/** The games of a week, day by day, filtered as the reader likes. */
export function WeekDays({ days, conferences, isWhole }: DaysProps) {
  const filter = useFilter()
  const ofConference = days.flatMap(({ games }) => games ?? []).filter(filter.inConference)
  const isShown = (game: Listed) => filter.inConference(game) && filter.inPhase(game)
  if (days.every(({ games }) => games?.length === 0))
    return <p className="empty">{isWhole ? 'No games in this week.' : 'No games on this day.'}</p>
  return (
    <>
      <Filters filter={filter} games={ofConference} conferences={conferences} />
      {days.map((day) => (
        <DayGames key={day.date} {...day} isShown={isShown} />
      ))}
      {!ofConference.some(filter.inPhase) && (
        <p className="empty">
          No game is like that now.{' '}
          <button type="button" onClick={filter.clear}>
            Show all games
          </button>
        </p>
      )}
    </>
  )
}
