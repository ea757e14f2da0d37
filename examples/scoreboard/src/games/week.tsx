import { useDeferredValue, useMemo } from 'react'
import { readFragment, WeekDocument, WeekGameFragmentDoc } from 'statline-client'
import type { WeekQuery } from 'statline-client'
import { useScoreboard } from 'statline-client/react'
import { Connection, useChanged } from '../parts/connection.tsx'
import { useFavourites } from '../parts/favourites.ts'
import { Offer, usePriced } from '../parts/priced.tsx'
import { Part, useTitle } from '../parts/states.tsx'
import { dayAfter, today } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { Announcer } from './announcer.tsx'
import { GamesHead } from './games-head.tsx'
import { conferencesOf } from './listed.ts'
import type { DaysGames } from './listed.ts'
import { connectionOf, someIn, useListed, useLive } from './live.ts'
import { WeekDays } from './week-days.tsx'
import './week.css'

/** Weeks run from Tuesday to Monday: football's from midweek games to Monday night. */
export function weekOf(date: string): readonly string[] {
  const sinceTuesday = (new Date(date).getUTCDay() + 5) % 7
  return Array.from({ length: 7 }, (_, at) => dayAfter(date, at - sinceTuesday))
}

const monthDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

function daysOf(week: readonly string[], games: NonNullable<WeekQuery['league']>) {
  const lists = [games.day1, games.day2, games.day3, games.day4, games.day5, games.day6, games.day7]
  return new Map(
    week.map((date, at): [string, DaysGames | null] => [
      date,
      lists[at]?.map((game) => readFragment(WeekGameFragmentDoc, game)) ?? null,
    ]),
  )
}

/** The week’s days that are known: all of them, or the one that was asked for, with which the page begins. */
function useDays(date: string, week: readonly string[]) {
  const first = useScoreboard({ date, ...league() })
  const [day1 = date, day2 = date, day3 = date, day4 = date, day5 = date, day6 = date, day7 = date] = week
  const variables = { day1, day2, day3, day4, day5, day6, day7, ...league() }
  const rest = usePriced(WeekDocument, variables, { skip: first.data === null })
  const all = rest.data?.league
  const games = useMemo(
    () => (all ? daysOf(week, all) : new Map([[date, first.data?.league?.games ?? null]])),
    [all, first.data, date, week],
  )
  return { first, rest, games }
}

/** The games of the week that has a day, followed while they are played. */
export function Week({ date }: { date: string }) {
  const week = useMemo(() => weekOf(date), [date])
  const { first, rest, games } = useDays(date, week)
  // Today, and a day with a game that goes on after midnight: at most two are followed.
  const mayChange = (day: string) => someIn(day === today() ? ['live', 'upcoming'] : ['live'], games.get(day))
  const [last, before] = week.filter(mayChange).toReversed()
  const live = useLive(last ?? date, last !== undefined)
  const late = useLive(before ?? date, before !== undefined)
  const known = useMemo(() => [...games.values()].flatMap((day) => day ?? []), [games])
  const heard = useDeferredValue(useMemo(() => [...live.data, ...late.data], [live.data, late.data]))
  const all = useListed(known, heard)
  const byId = new Map(all.map((game) => [game.gameId, game]))
  const days = [...games].map(([day, list]) => ({
    date: day,
    games: list?.flatMap(({ gameId }) => byId.get(gameId) ?? []) ?? null,
  }))
  const changed = useChanged(all)
  const { ids: favourites } = useFavourites()
  const span = `${monthDay.format(new Date(week[0] ?? date))} – ${monthDay.format(new Date(week[6] ?? date))}`
  useTitle(`Games of the week ${span}`)
  const found = first.data?.league
  return (
    <>
      <GamesHead date={date} isWeek league={found?.organization?.name} />
      <nav className="week-steps" aria-label="Weeks">
        <a href={href.week(dayAfter(date, -7))}>‹ Week before</a>
        <strong>{span}</strong>
        <a href={href.week(dayAfter(date, 7))}>Week after ›</a>
      </nav>
      <Part
        of={first}
        value={rest.data?.league ?? found?.games}
        field="games"
        what="the week’s games"
        empty="No games on this day."
      >
        {() => (
          <>
            <Connection {...connectionOf(late.failure ? late : live, first, changed)} />
            <Announcer games={all} favourites={favourites} />
            <WeekDays days={days} conferences={conferencesOf(known)} isWhole={rest.data !== null} />
          </>
        )}
      </Part>
      {rest.asks !== null && <Offer what="The week’s other days" tokens={rest.asks} onAgree={rest.agree} />}
    </>
  )
}
