import { useTitle } from '../parts/states.tsx'
import { href } from '../routing/href.ts'

const cannotBe = 'There is no page at this address: its name, its day or its season cannot be.'

/** The page of an address that shows nothing, and why: a page, a day or a season that cannot be. */
export function NothingHere({ why = cannotBe }: { why?: string }) {
  useTitle('Nothing here')
  return (
    <>
      <h1>Nothing here</h1>
      <p>{why}</p>
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
