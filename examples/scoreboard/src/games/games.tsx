import { useDeferredValue, useState } from 'react'
import { useScoreboard } from 'statline-client/react'
import { Connection, useChanged } from '../parts/connection.tsx'
import { useFavourites } from '../parts/favourites.ts'
import { wholeDayOf } from '../parts/numbers.ts'
import { Extra } from '../parts/priced.tsx'
import { Part, useTitle } from '../parts/states.tsx'
import { today } from '../routing/days.ts'
import { league } from '../routing/route.ts'
import { season } from '../routing/season.ts'
import { Announcer } from './announcer.tsx'
import { DayStrip, useCounts } from './day-strip.tsx'
import { GameList } from './game-list.tsx'
import { GamesHead } from './games-head.tsx'
import { conferencesOf } from './listed.ts'
import { connectionOf, someIn, useListed, useLive } from './live.ts'
import { useRecords } from './records.ts'

/** A day’s games with scores and lines, followed while they may change. */
export function Games({ date }: { date: string }) {
  useTitle(date === today() ? 'Games today' : `Games, ${wholeDayOf(date)}`)
  const [pollMs, setPollMs] = useState<number>()
  const shown = useScoreboard({ date, ...league() }, { pollMs })
  const games = shown.data?.league?.games
  const live = useLive(date, someIn(['live', 'upcoming'], games))
  // Some proxies block streams; the page then polls.
  const isDeaf = live.failure !== null && live.data.length === 0
  if (isDeaf !== (pollMs !== undefined)) setPollMs(isDeaf ? 15_000 : undefined)
  const year = games?.find((game) => game.season !== null)?.season
  if (year) season.last = year
  // A new subscriber is told of every game at once: they are drawn together.
  const all = useListed(games, useDeferredValue(live.data), useDeferredValue(live.complete))
  const { ids: favourites } = useFavourites()
  const records = useRecords(date, Boolean(games?.length))
  const around = useCounts(date, games != null)
  const changed = useChanged(all)
  return (
    <>
      <GamesHead date={date} isWeek={false} league={shown.data?.league?.organization?.name} />
      <DayStrip date={date} around={around} />
      <Part of={shown} value={games} field="games" what="the day’s games" empty="No games on this day.">
        {(found) => (
          <>
            <Connection {...connectionOf(live, shown, changed)} />
            <Announcer games={all} favourites={favourites} />
            <GameList games={all} conferences={conferencesOf(found)} records={records} />
          </>
        )}
      </Part>
      <Extra of={around.extra} what="How many games the days around have" name="the counts of games" />
    </>
  )
}
