import { useFavourites } from './favourites.ts'
import { readTeam } from './team-name.tsx'
import type { TeamKey } from './team-name.tsx'
import './favourite-button.css'

/** Makes a team a favourite of the reader, or no longer one. */
export function FavouriteButton({ team }: { team: TeamKey }) {
  const { ids, toggle } = useFavourites()
  const known = readTeam(team)
  if (!known) return null
  const isFavourite = ids.has(known.teamId)
  return (
    <button
      type="button"
      className="favourite"
      aria-pressed={isFavourite}
      aria-label={`Favourite: ${known.name ?? 'team'}`}
      onClick={() => toggle(known.teamId)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="m12 3 2.8 5.9 6.4.8-4.7 4.4 1.2 6.4-5.7-3.1-5.7 3.1 1.2-6.4L2.8 9.7l6.4-.8z" />
      </svg>
    </button>
  )
}
