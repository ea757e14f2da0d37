import { isSeason } from '../routing/days.ts'
import { useLatestSeason } from './latest-season.ts'

interface SeasonPickerProps {
  readonly season: number
  readonly hrefOf: (season: number) => string
}

/** The season before, if there may be such, and the one after, if it has begun. */
export function SeasonPicker({ season, hrefOf }: SeasonPickerProps) {
  const latest = useLatestSeason(season + 1)
  return (
    <nav className="days" aria-label="Season">
      {isSeason(season - 1) && <a href={hrefOf(season - 1)}>← {season - 1}</a>}
      <strong>Season {season}</strong>
      {season + 1 <= latest && <a href={hrefOf(season + 1)}>{season + 1} →</a>}
    </nav>
  )
}
