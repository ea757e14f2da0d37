import { useSeasons } from 'statline-client/react'
import { league } from '../routing/route.ts'
import { Loading } from './states.tsx'

interface EmptySeasonProps {
  /** What is not there: `standings`. */
  readonly what: string
  readonly season: number
  readonly hrefOf: (season: number) => string
}

function reasonOf(what: string, season: number, seasons: readonly number[]): string {
  const [last = season, first = season] = [seasons[0], seasons.at(-1)]
  if (seasons.length === 0) return `There are no ${what}: the service has no games of this league.`
  if (season > last) return `There are no ${what} of ${season} yet: no game of that season has been played.`
  if (season < first) return `There are no ${what} of ${season}: the service’s games begin with ${first}.`
  if (!seasons.includes(season)) return `There are no ${what} of ${season}: no games were played.`
  return `There are no ${what} of ${season}, although games were played.`
}

/** Why a season shows nothing, with the way to the seasons that have games. */
export function EmptySeason({ what, season, hrefOf }: EmptySeasonProps) {
  const shown = useSeasons(league(), { maxAge: Infinity })
  const seasons = shown.data?.league?.seasons
  if (!seasons)
    return shown.loading ? <Loading what="seasons" /> : <p className="empty">There are no {what}.</p>
  return (
    <div className="empty">
      <p>{reasonOf(what, season, seasons)}</p>
      {seasons.length > 0 && (
        <ul className="links">
          {seasons.map((year) => (
            <li key={year}>
              <a href={hrefOf(year)}>Season {year}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
