import { useFavourites } from '../parts/favourites.ts'
import { Extra } from '../parts/priced.tsx'
import { Filters, useFilter } from './filters.tsx'
import { GameCard } from './game-card.tsx'
import { grouped } from './listed.ts'
import type { Group, Listed } from './listed.ts'
import type { Records } from './records.ts'

interface GameListProps {
  readonly games: readonly Listed[]
  readonly conferences: readonly (readonly [string, string])[]
  readonly records?: Records
}

function Cards({ title, games, records }: Group & { records: Records | undefined }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul className="cards">
        {games.map(({ gameId, card }) => (
          <li key={gameId}>
            <GameCard game={card} {...(records && { records: records.byTeam })} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Games as cards: favourites first, then live, upcoming and finished ones; filtered as the reader likes. */
export function GameList({ games, conferences, records }: GameListProps) {
  const filter = useFilter()
  const { ids: favourites } = useFavourites()
  const ofConference = games.filter(filter.inConference)
  const groups = grouped(ofConference.filter(filter.inPhase), favourites)
  return (
    <>
      <Filters filter={filter} games={ofConference} conferences={conferences} />
      {groups.map((group) => (
        <Cards key={group.title} {...group} records={records} />
      ))}
      {groups.length === 0 && (
        <p className="empty">
          No game is like that now.{' '}
          <button type="button" onClick={filter.clear}>
            Show all games
          </button>
        </p>
      )}
      {records && <Extra of={records.extra} what="Each team’s record" name="the records" />}
    </>
  )
}
