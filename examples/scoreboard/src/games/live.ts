import { useMemo } from 'react'
import { GameCardFragmentDoc, readFragment } from 'statline-client'
import type { LiveScoresSubscription } from 'statline-client'
import { useLiveScores } from 'statline-client/react'
import type { useScoreboard } from 'statline-client/react'
import { troubleOf } from '../parts/trouble.ts'
import { useVisible } from '../parts/visible.ts'
import { league } from '../routing/route.ts'
import { listed } from './listed.ts'
import type { DaysGames, Listed } from './listed.ts'
import { phaseOf } from './state.ts'
import type { Phase } from './state.ts'

export type Live = ReturnType<typeof useLiveScores>
type Shown = Pick<ReturnType<typeof useScoreboard>, 'failure' | 'stale' | 'refetch'>

/** Whether one of the games is in one of some phases. */
export const someIn = (phases: readonly Phase[], games: DaysGames | null | undefined): boolean =>
  games?.some((game) => phases.includes(phaseOf(readFragment(GameCardFragmentDoc, game)))) ?? false

/** Follows a day’s games while that is wanted and the page is visible. */
export function useLive(date: string, isWanted: boolean): Live {
  const isSeen = useVisible()
  return useLiveScores({ date, ...league() }, { skip: !isWanted || !isSeen })
}

/** Games, each in its newest state, without those that have left the day, once all of it was heard. */
export function useListed(
  games: DaysGames | null | undefined,
  heard: readonly LiveScoresSubscription[],
  isComplete = false,
): readonly Listed[] {
  return useMemo(() => {
    const newest = new Map(heard.map(({ scores }) => [scores.gameId, scores]))
    const there = (games ?? []).filter(({ gameId }) => !isComplete || newest.has(gameId))
    return there.map((game) => listed(game, newest.get(game.gameId)))
  }, [games, heard, isComplete])
}

/**
 * What the page says while games are not followed, as a `Connection` takes it. The failure of one field of
 * one game does not count. The service’s rows may be older than the answer.
 */
export function connectionOf(live: Live, shown: Shown, changed: Date) {
  const errors = live.errors.filter(({ path = [] }) => path.length < 2)
  const failure = live.failure ?? shown.failure
  return {
    trouble: troubleOf({ failure, stale: shown.stale }, errors),
    asOf: shown.stale ? new Date(changed.getTime() - shown.stale.seconds * 1_000) : (live.stale ?? changed),
    onRetry: shown.refetch,
  }
}
