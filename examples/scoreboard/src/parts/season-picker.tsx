import { isSeason } from '../routing/days.ts'

/** The season before and after, if there may be such. */
export function SeasonPicker({ season, hrefOf }: { season: number; hrefOf: (season: number) => string }) {
  return (
    <nav className="days" aria-label="Season">
      {isSeason(season - 1) && <a href={hrefOf(season - 1)}>← {season - 1}</a>}
      <strong>Season {season}</strong>
      {isSeason(season + 1) && <a href={hrefOf(season + 1)}>{season + 1} →</a>}
    </nav>
  )
}
