import { useTitle } from '../parts/states.tsx'
import { href } from '../routing/href.ts'

/** The page of an address that shows nothing: a page, a day or a season that cannot be. */
export function NothingHere() {
  useTitle('Nothing here')
  return (
    <>
      <h1>Nothing here</h1>
      <p>There is no page at this address: its name, its day or its season cannot be.</p>
      <ul className="plain">
        <li>
          <a href={href.games()}>Today’s games</a>
        </li>
        <li>
          <a href={href.standings()}>Standings</a>
        </li>
        <li>
          <a href={href.leagues()}>Leagues</a>
        </li>
      </ul>
    </>
  )
}
