import { href } from '../routing/href.ts'
import type { Route } from '../routing/route.ts'
import { Search } from '../search/search.tsx'
import './header.css'

type Pages = readonly Route['page'][]

const entries: readonly (readonly [string, () => string, Pages])[] = [
  ['Games', () => href.games(), ['games', 'week', 'game']],
  ['Standings', () => href.standings(), ['standings', 'conference', 'team']],
  ['Leaders', () => href.leaders(), ['leaders', 'player']],
  ['Compare', () => href.compare('teams'), ['compare']],
  ['Leagues', () => href.leagues(), ['leagues']],
]

/** The name of the site, the way to its pages, and the search. */
export function Header({ route, path }: { route: Route; path: string }) {
  return (
    <header className="header">
      <a className="brand" href={href.games()}>
        <img src="/favicon.svg" alt="" width="27" height="27" />
        Statline
      </a>
      <nav aria-label="Pages">
        {entries.map(([label, address, pages]) => (
          <a
            key={label}
            href={address()}
            aria-current={address() === path ? 'page' : pages.includes(route.page) ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <Search key={path} />
    </header>
  )
}
