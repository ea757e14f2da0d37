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

/** A day's games without those that have left it, once all of it was heard. */
export const stillOf = (games: DaysGames, { data, complete }: Pick<Live, 'data' | 'complete'>): DaysGames =>
  complete ? games.filter(({ gameId }) => data.some(({ scores }) => scores.gameId === gameId)) : games

/** Games, each in its newest state; of a day, without those that have left it, if `complete` says that all was heard. */
export function useListed(
  games: DaysGames | null | undefined,
  heard: readonly LiveScoresSubscription[],
  complete = false,
): readonly Listed[] {
  return useMemo(() => {
    const newest = new Map(heard.map(({ scores }) => [scores.gameId, scores]))
    return stillOf(games ?? [], { data: heard, complete }).map((game) =>
      listed(game, newest.get(game.gameId)),
    )
  }, [games, heard, complete])
}

/**
 * What the page says while games are not followed, as a `Connection` takes it. The failure of one field of
 * one game does not count. The service’s rows may be older than the answer.
 */
export function connectionOf(live: Live, shown: Shown, changed: Date) {
  const errors = live.errors.filter(({ path = [] }) => path.length < 2)
  const failure = live.failure ?? shown.failure
  return {
    trouble: troubleOf({ failure, stale: shown.stale ?? (live.outage ? live.stale : null) }, errors),
    asOf: shown.stale ? new Date(changed.getTime() - shown.stale.seconds * 1_000) : (live.stale ?? changed),
    onRetry: shown.refetch,
  }
}
