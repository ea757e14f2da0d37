import { readFragment, ScheduledGameFragmentDoc } from 'statline-client'
import type { TeamRatingsQuery } from 'statline-client'
import { LineChart } from '../parts/chart.tsx'
import { dayOf } from '../parts/numbers.ts'
import { nameOfTeam } from '../parts/team-name.tsx'
import { seenBy } from './seen-by.ts'

type History = NonNullable<NonNullable<NonNullable<TeamRatingsQuery['league']>['team']>['eloHistory']>

/** What the rating was set after: `Feb 14, W 81–66 vs Dunmere`. */
function labelOf({ dateOfEntry, game: key }: History[number], teamId: string): string {
  const game = readFragment(ScheduledGameFragmentDoc, key)
  if (!game) return dateOfEntry ? dayOf(dateOfEntry) : ''
  const { day, text, where, opponent } = seenBy(game, teamId)
  return `${day}, ${text} ${where} ${nameOfTeam(opponent)}`
}

interface RatingChartProps {
  readonly history: History
  readonly teamId: string
  readonly color: string
}

/** A team’s rating after each game of a season, each with the opponent and the result. */
export function RatingChart({ history, teamId, color }: RatingChartProps) {
  const points = history.flatMap((row) => {
    const { dateOfEntry, elo, game } = row
    if (!dateOfEntry || elo == null) return []
    const played = readFragment(ScheduledGameFragmentDoc, game)
    const outcome = played ? seenBy(played, teamId).outcome : null
    return [{ at: Date.parse(dateOfEntry), value: elo, label: labelOf(row, teamId), outcome }]
  })
  return (
    <LineChart
      title="Elo rating after each game"
      lines={[{ name: 'Rating', color, points }]}
      format={(value) => String(Math.round(value))}
    />
  )
}
