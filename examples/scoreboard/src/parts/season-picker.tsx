/** A season is named by the year in which it ends, so next year's is the latest possible. */
const isBegun = (season: number) => season <= new Date().getUTCFullYear() + 1

/** The season before and after. */
export function SeasonPicker({ season, hrefOf }: { season: number; hrefOf: (season: number) => string }) {
  return (
    <nav className="days" aria-label="Season">
      <a href={hrefOf(season - 1)}>← {season - 1}</a>
      <strong>Season {season}</strong>
      {isBegun(season + 1) && <a href={hrefOf(season + 1)}>{season + 1} →</a>}
    </nav>
  )
}
