import { newestPossible } from '../../rows/seasons.ts'
import type { Arguments } from '../../specification/operation.ts'

const day = 86_400_000

/** Days between two games of a list. */
const pause = 6

/**
 * What a made-up game of a team's season says of its state: it is over, but for the first at home in a season
 * under way. That one is today, like a game that is asked for by its day or id: it is taken for live.
 */
export function stateInSeason(
  values: Arguments,
  index: number,
  now: number,
): Readonly<Record<string, unknown>> {
  const season = Number(values['season'])
  const isUnderWay = season >= newestPossible(now) - 1
  if (isUnderWay && index === 0 && values['home_team_id'] !== undefined) return {}
  const latest = isUnderWay ? now : Date.UTC(season, 11, 31)
  const played = new Date(latest - day * pause * (index + 1)).toISOString()
  return {
    status: 'final',
    current_period: 'Final',
    clock_last_updated_at: played,
    start_date: played,
    start_datetime: played,
    start_timestamp: Math.floor(Date.parse(played) / 1000),
    updated_at: played,
  }
}
