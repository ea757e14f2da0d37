import { useMemo } from 'react'
import { DayRecordsDocument, readFragment, RecordedTeamFragmentDoc } from 'statline-client'
import type { DayRecordsQuery } from 'statline-client'
import { whole } from '../parts/numbers.ts'
import { usePriced } from '../parts/priced.tsx'
import { today } from '../routing/days.ts'
import { league } from '../routing/route.ts'

type RecordedGames = NonNullable<DayRecordsQuery['league']>['games'] | undefined

function recordsOf(games: RecordedGames): ReadonlyMap<string, string> {
  const teams = games?.flatMap(({ homeTeam, awayTeam }) => [homeTeam, awayTeam])
  return new Map(
    teams?.flatMap((team) => {
      const known = readFragment(RecordedTeamFragmentDoc, team)
      const { wins, losses } = known?.stats ?? {}
      if (!known || wins?.value == null) return []
      return [[known.teamId, `${whole(wins.value)}–${whole(losses?.value)}`] as const]
    }),
  )
}

/**
 * The records of a day's teams by their ids: on a past day those of that day. Each team is a call, so they
 * are shown if they cost little or the reader agrees.
 */
export function useRecords(date: string, isReady: boolean) {
  const on = date < today() ? date : null
  const shown = usePriced(DayRecordsDocument, { date, on, ...league() }, { skip: !isReady })
  const games = shown.data?.league?.games
  const byTeam = useMemo(() => recordsOf(games), [games])
  return { byTeam, extra: shown }
}

export type Records = ReturnType<typeof useRecords>
