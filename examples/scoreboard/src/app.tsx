import { useEffect, useRef } from 'react'
import { Bill, bill } from './bill.tsx'
import { Day } from './day.tsx'
import { Game } from './game.tsx'
import { Leaders } from './leaders.tsx'
import { Leagues } from './leagues.tsx'
import { Player } from './player.tsx'
import { href, routeOf, season, today, useHash } from './route.ts'
import type { Route } from './route.ts'
import { Search } from './search.tsx'
import { Standings } from './standings.tsx'
import { Team } from './team.tsx'

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'leagues':
      return <Leagues />
    case 'day':
      return <Day date={route.date} />
    case 'game':
      return <Game id={route.id} />
    case 'team':
      return <Team id={route.id} season={route.season} />
    case 'player':
      return <Player id={route.id} season={route.season} />
    case 'standings':
      return <Standings id={route.id} season={route.season} />
    case 'leaders':
      return <Leaders subject={route.subject} season={route.season} by={route.by} />
  }
}

/** Moves the focus to the top of a new page, and starts its bill at zero. */
function useArrival(hash: string) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(hash)
  if (shown.current !== hash) {
    shown.current = hash
    queueMicrotask(bill.clear)
  }
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) {
      scrollTo(0, 0)
      main.current?.focus()
    }
    isFirst.current = false
  }, [hash])
  return main
}

export function App() {
  const hash = useHash()
  const route = routeOf(hash)
  const main = useArrival(hash)
  return (
    <>
      <a className="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the page
      </a>
      <header>
        <a className="brand" href={href.day(today())}>
          Statline
        </a>
        <nav aria-label="Pages">
          <a href={href.day(today())} aria-current={route.page === 'day' ? 'page' : undefined}>
            Games
          </a>
          <a
            href={href.leaders('TEAM', season.last, '')}
            aria-current={route.page === 'leaders' ? 'page' : undefined}
          >
            Leaders
          </a>
          <a href={href.leagues()} aria-current={route.page === 'leagues' ? 'page' : undefined}>
            Leagues
          </a>
        </nav>
        <Search key={hash} />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Page key={hash} route={route} />
      </main>
      <Bill />
    </>
  )
}
