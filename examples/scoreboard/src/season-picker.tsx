/** The season before and after. */
export function SeasonPicker({ season, hrefOf }: { season: number; hrefOf: (season: number) => string }) {
  return (
    <nav className="days" aria-label="Season">
      <a href={hrefOf(season - 1)}>← {season - 1}</a>
      <strong>Season {season}</strong>
      <a href={hrefOf(season + 1)}>{season + 1} →</a>
    </nav>
  )
}
