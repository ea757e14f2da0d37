import { DayRecordsDocument, readFragment, RecordedTeamFragmentDoc } from 'statline-client'
import { whole } from '../parts/numbers.ts'
import { usePriced } from '../parts/priced.tsx'
import { today } from '../routing/days.ts'
import { league } from '../routing/route.ts'

/**
 * The records of a day's teams by their ids: on a past day those of that day. Each team is a call, so they are
 * shown if they cost little or the reader agrees.
 */
export function useRecords(date: string, isReady: boolean) {
  const on = date < today() ? date : null
  const shown = usePriced(DayRecordsDocument, { date, on, ...league() }, { skip: !isReady })
  const teams = shown.data?.league?.games?.flatMap(({ homeTeam, awayTeam }) => [homeTeam, awayTeam])
  const byTeam = new Map(
    teams?.flatMap((team) => {
      const known = readFragment(RecordedTeamFragmentDoc, team)
      const { wins, losses } = known?.stats ?? {}
      if (!known || wins?.value == null) return []
      return [[known.teamId, `${whole(wins.value)}–${whole(losses?.value)}`] as const]
    }),
  )
  return { byTeam, asks: shown.asks, agree: shown.agree }
}

export type Records = ReturnType<typeof useRecords>
