import { readFragment, WeekDocument, WeekGameFragmentDoc } from 'statline-client'
import type { WeekQuery } from 'statline-client'
import { useFavourites } from '../parts/favourites.ts'
import { wholeDayOf } from '../parts/numbers.ts'
import { PricedPart, usePriced } from '../parts/priced.tsx'
import { Part, useTitle } from '../parts/states.tsx'
import { dayAfter } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { Filters, useFilter } from './filters.tsx'
import { GameCard } from './game-card.tsx'
import { GamesHead } from './games-head.tsx'
import { conferencesOf, grouped, listed } from './listed.ts'
import type { DaysGames } from './listed.ts'
import './week.css'

/** Weeks run from Tuesday to Monday: football's from midweek games to Monday night. */
export function weekOf(date: string): readonly string[] {
  const sinceTuesday = (new Date(date).getUTCDay() + 5) % 7
  return Array.from({ length: 7 }, (_, at) => dayAfter(date, at - sinceTuesday))
}

const monthDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

interface Day {
  readonly date: string
  /** Null if they could not be had. */
  readonly games: DaysGames | null
}

function daysOf(week: readonly string[], games: NonNullable<WeekQuery['league']>): readonly Day[] {
  const lists = [games.day1, games.day2, games.day3, games.day4, games.day5, games.day6, games.day7]
  return week.map((date, at) => ({
    date,
    games: lists[at]?.map((game) => readFragment(WeekGameFragmentDoc, game)) ?? null,
  }))
}

function DayGames({ date, games, filter }: Day & { filter: ReturnType<typeof useFilter> }) {
  const { ids } = useFavourites()
  const shown = (games ?? [])
    .map((game) => listed(game, undefined))
    .filter((game) => filter.inConference(game) && filter.inPhase(game))
  if (games === null) return <p className="empty">The games of {wholeDayOf(date)} could not be loaded.</p>
  if (shown.length === 0) return null
  return (
    <section>
      <h2>
        <a href={href.games(date)}>{wholeDayOf(date)}</a>
      </h2>
      <ul className="cards">
        {grouped(shown, ids)
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

function Days({ days }: { days: readonly Day[] }) {
  const filter = useFilter()
  const all = days.flatMap(({ games }) => games ?? [])
  const ofConference = all.map((game) => listed(game, undefined)).filter(filter.inConference)
  if (all.length === 0 && days.every(({ games }) => games))
    return <p className="empty">No games in this week.</p>
  return (
    <>
      <Filters filter={filter} games={ofConference} conferences={conferencesOf(all)} />
      {days.map((day) => (
        <DayGames key={day.date} {...day} filter={filter} />
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

/** The games of the week that has a day. */
export function Week({ date }: { date: string }) {
  const week = weekOf(date)
  const [day1 = date, day2 = date, day3 = date, day4 = date, day5 = date, day6 = date, day7 = date] = week
  const shown = usePriced(WeekDocument, { day1, day2, day3, day4, day5, day6, day7, ...league() })
  const span = `${monthDay.format(new Date(day1))} – ${monthDay.format(new Date(day7))}`
  useTitle(`Games of the week ${span}`)
  return (
    <>
      <GamesHead date={date} isWeek league={shown.data?.league?.organization?.name} />
      <nav className="week-steps" aria-label="Weeks">
        <a href={href.week(dayAfter(date, -7))}>‹ Week before</a>
        <strong>{span}</strong>
        <a href={href.week(dayAfter(date, 7))}>Week after ›</a>
      </nav>
      <PricedPart of={shown} what="This week’s games">
        <Part
          of={shown}
          value={shown.data?.league}
          field="league"
          what="the week’s games"
          empty="No games in this week."
        >
          {(games) => <Days days={daysOf(week, games)} />}
        </Part>
      </PricedPart>
    </>
  )
}
