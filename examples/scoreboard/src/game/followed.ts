import { useGameNow } from 'statline-client/react'
import { useChanged } from '../parts/connection.tsx'
import { troubleOf } from '../parts/trouble.ts'
import { useVisible } from '../parts/visible.ts'
import type { StateKey } from '../games/state.ts'
import { league } from '../routing/route.ts'
import { phaseOf } from './scoreline.tsx'
import type { GamePhase } from './scoreline.tsx'

/** How often a score is asked for, in milliseconds: one small call. */
const polls: Readonly<Record<GamePhase, number | undefined>> = {
  before: 60_000,
  live: 15_000,
  over: undefined,
}

/**
 * Follows a game’s state with a query of its own while it may change and the page is seen; nothing without a
 * game.
 */
export function useFollowed(id: string | undefined, game: StateKey | null | undefined) {
  const isSeen = useVisible()
  const known = game ? phaseOf(game) : 'over'
  const answered = useGameNow(
    { gameId: id ?? '', ...league() },
    { skip: !isSeen || !id || known === 'over', pollMs: polls[known] },
  )
  const now: StateKey | null = answered.data?.league?.game ?? game ?? null
  const changed = useChanged(now)
  return {
    now,
    connection: {
      trouble: troubleOf(answered, answered.errors),
      asOf: new Date(changed.getTime() - (answered.stale?.seconds ?? 0) * 1_000),
      onRetry: answered.refetch,
    },
  }
}
