import { useDeferredValue, useMemo, useState } from 'react'
import { GameCardFragmentDoc, readFragment } from 'statline-client'
import type { LiveScoresSubscription } from 'statline-client'
import { useLiveScores, useScoreboard } from 'statline-client/react'
import { Connection, useChanged } from '../parts/connection.tsx'
import { useFavourites } from '../parts/favourites.ts'
import { wholeDayOf } from '../parts/numbers.ts'
import { meaningOf, Part, useTitle } from '../parts/states.tsx'
import { useVisible } from '../parts/visible.ts'
import { today } from '../routing/days.ts'
import { league } from '../routing/route.ts'
import { season } from '../routing/season.ts'
import { Announcer } from './announcer.tsx'
import { DayStrip } from './day-strip.tsx'
import { GameList } from './game-list.tsx'
import { GamesHead } from './games-head.tsx'
import { conferencesOf, listed } from './listed.ts'
import type { DaysGames } from './listed.ts'
import { useRecords } from './records.ts'
import { phaseOf } from './state.ts'

type Live = ReturnType<typeof useLiveScores>

const canChange = (games: DaysGames | null | undefined) =>
  games?.some((game) => {
    const phase = phaseOf(readFragment(GameCardFragmentDoc, game))
    return phase === 'live' || phase === 'upcoming'
  }) ?? false

/** Follows the day’s games while one of them may change and the page is visible. */
function useLive(date: string, games: DaysGames | null | undefined): Live {
  const isSeen = useVisible()
  return useLiveScores({ date, ...league() }, { skip: !canChange(games) || !isSeen })
}

/** Why the day cannot be followed. The failure of one field of one game does not count. */
function troubleOf({ failure, errors }: Live, shown: ReturnType<typeof useScoreboard>): string | null {
  const error = errors.find(({ path = [] }) => path.length < 2)
  if (failure || shown.failure) return 'The connection was lost; trying again.'
  if (error) return `${meaningOf(error)} Trying again.`
  return shown.stale ? 'The statistics service does not answer just now.' : null
}

/** Until when what is shown was current: the service's rows may be older than the answer. */
const currentUntil = (changed: Date, { stale }: Live, shown: ReturnType<typeof useScoreboard>): Date =>
  shown.stale ? new Date(changed.getTime() - shown.stale.seconds * 1_000) : (stale ?? changed)

/** The day’s games, each in its newest state. */
function useListed(games: DaysGames | null | undefined, heard: readonly LiveScoresSubscription[]) {
  return useMemo(() => {
    const newest = new Map(heard.map(({ scores }) => [scores.gameId, scores]))
    return (games ?? []).map((game) => listed(game, newest.get(game.gameId)))
  }, [games, heard])
}

/** A day’s games with scores and lines, followed while they may change. */
export function Games({ date }: { date: string }) {
  useTitle(date === today() ? 'Games today' : `Games, ${wholeDayOf(date)}`)
  const [pollMs, setPollMs] = useState<number>()
  const shown = useScoreboard({ date, ...league() }, { pollMs })
  const games = shown.data?.league?.games
  const live = useLive(date, games)
  // Some proxies block streams; the page then polls.
  const isDeaf = live.failure !== null && live.data.length === 0
  if (isDeaf !== (pollMs !== undefined)) setPollMs(isDeaf ? 15_000 : undefined)
  const year = games?.find((game) => game.season !== null)?.season
  if (year) season.last = year
  // A new subscriber is told of every game at once: they are drawn together.
  const all = useListed(games, useDeferredValue(live.data))
  const { ids: favourites } = useFavourites()
  const records = useRecords(date, Boolean(games?.length))
  const changed = useChanged(all)
  return (
    <>
      <GamesHead date={date} isWeek={false} league={shown.data?.league?.organization?.name} />
      <DayStrip date={date} isReady={games != null} />
      <Part of={shown} value={games} field="games" what="the day’s games" empty="No games on this day.">
        {(found) => (
          <>
            <Connection
              trouble={troubleOf(live, shown)}
              asOf={currentUntil(changed, live, shown)}
              onRetry={shown.refetch}
            />
            <Announcer games={all} favourites={favourites} />
            <GameList games={all} conferences={conferencesOf(found)} records={records} />
          </>
        )}
      </Part>
    </>
  )
}
