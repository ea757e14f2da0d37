import { useDeferredValue, useMemo } from 'react'
import { readFragment, WeekDocument, WeekGameFragmentDoc } from 'statline-client'
import type { WeekQuery } from 'statline-client'
import { useScoreboard } from 'statline-client/react'
import { Connection, useChanged } from '../parts/connection.tsx'
import { useFavourites } from '../parts/favourites.ts'
import { daysFrom, useByDay } from '../parts/by-day.ts'
import { Extra } from '../parts/priced.tsx'
import { Loading, Part, useTitle } from '../parts/states.tsx'
import { dayAfter, today } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { Announcer } from './announcer.tsx'
import { GamesHead } from './games-head.tsx'
import { conferencesOf } from './listed.ts'
import type { DaysGames } from './listed.ts'
import { connectionOf, someIn, stillOf, useListed, useLive } from './live.ts'
import type { Live } from './live.ts'
import { WeekDays } from './week-days.tsx'
import './week.css'

/** Weeks run from Tuesday to Monday: football's from midweek games to Monday night. */
export function weekOf(date: string): readonly string[] {
  const sinceTuesday = (new Date(date).getUTCDay() + 5) % 7
  return Array.from({ length: 7 }, (_, at) => dayAfter(date, at - sinceTuesday))
}

const monthDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

type Week = NonNullable<WeekQuery['league']>

const gamesOf = (day: Week['day1']): DaysGames | null =>
  day?.map((game) => readFragment(WeekGameFragmentDoc, game)) ?? null

/** The games of the days that were asked for, by day. */
function daysOf(week: readonly string[], asked: ReadonlySet<string>, games: Week) {
  const lists = [games.day1, games.day2, games.day3, games.day4, games.day5, games.day6, games.day7]
  return new Map(
    week.flatMap((date, at): [string, DaysGames | null][] =>
      asked.has(date) ? [[date, gamesOf(lists[at] ?? null)]] : [],
    ),
  )
}

/** The week’s days that are known: the one that was asked for, with which the page begins, and others. */
function useDays(date: string, week: readonly string[]) {
  const first = useScoreboard({ date, ...league() })
  const rest = useByDay(WeekDocument, week, date, first.data === null)
  const all = rest.answer?.data.league
  const asked = [...(rest.answer?.days ?? [])].join(' ')
  const games = useMemo(
    () =>
      all
        ? daysOf(week, new Set(asked.split(' ')), all)
        : new Map([[date, first.data?.league?.games ?? null]]),
    [all, asked, first.data, date, week],
  )
  return { first, rest, games }
}

type Followed = readonly [date: string | undefined, live: Live]

/** The week’s games by day, without those that have left a day that is followed. */
function useThere(
  games: ReadonlyMap<string, DaysGames | null>,
  [last, { data, complete }]: Followed,
  [before, late]: Followed,
) {
  return useMemo(() => {
    const without = (day: string, list: DaysGames | null) => {
      if (day === last) return list && stillOf(list, { data, complete })
      return list && day === before ? stillOf(list, { data: late.data, complete: late.complete }) : list
    }
    return new Map([...games].map(([day, list]) => [day, without(day, list)]))
  }, [games, last, data, complete, before, late.data, late.complete])
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
  const there = useThere(games, [last, live], [before, late])
  const known = useMemo(() => [...there.values()].flatMap((day) => day ?? []), [there])
  const heard = useDeferredValue(useMemo(() => [...live.data, ...late.data], [live.data, late.data]))
  const all = useListed(known, heard)
  const byId = new Map(all.map((game) => [game.gameId, game]))
  // What was known first stays where it is, however many days come: those before it follow it.
  const days = daysFrom(date, [...there.keys()]).map((day) => ({
    date: day,
    games: there.get(day)?.flatMap(({ gameId }) => byId.get(gameId) ?? []) ?? null,
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
        <a href={href.week(dayAfter(date, -7))}>
          ‹ <span className="far">Week </span>before
        </a>
        <strong>{span}</strong>
        <a href={href.week(dayAfter(date, 7))}>
          <span className="far">Week </span>after ›
        </a>
      </nav>
      <Part
        of={first}
        value={rest.answer?.data.league ?? found?.games}
        field="games"
        what="the week’s games"
        empty="No games on this day."
      >
        {() => (
          <>
            <Connection {...connectionOf(late.failure || late.outage ? late : live, first, changed)} />
            <Announcer games={all} favourites={favourites} />
            <WeekDays days={days} conferences={conferencesOf(known)} isWhole={rest.isWhole} />
          </>
        )}
      </Part>
      {rest.isLoading && first.data !== null && <Loading what="the week’s other days" />}
      {!rest.isLoading && <Extra of={rest.extra} what="The week’s other days" name="the week’s other days" />}
    </>
  )
}
