import { lazy } from 'react'
import type { Route } from './routing/route.ts'
import { NothingHere } from './shell/nothing-here.tsx'

// Each page is a script of its own, loaded when it is first shown.
const Games = lazy(async () => ({ default: (await import('./games/games.tsx')).Games }))
const Week = lazy(async () => ({ default: (await import('./games/week.tsx')).Week }))
const Game = lazy(async () => ({ default: (await import('./game/game.tsx')).Game }))
const Team = lazy(async () => ({ default: (await import('./team/team.tsx')).Team }))
const Player = lazy(async () => ({ default: (await import('./player/player.tsx')).Player }))
const Standings = lazy(async () => ({ default: (await import('./standings/standings.tsx')).Standings }))
const Leaders = lazy(async () => ({ default: (await import('./leaders/leaders.tsx')).Leaders }))
const Compare = lazy(async () => ({ default: (await import('./compare/compare.tsx')).Compare }))
const Leagues = lazy(async () => ({ default: (await import('./leagues/leagues.tsx')).Leagues }))

/** The page of an address. */
export function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'games':
      return <Games date={route.date} />
    case 'week':
      return <Week date={route.date} />
    case 'game':
      return <Game key={route.id} id={route.id} tab={route.tab} />
    case 'team':
      return <Team id={route.id} season={route.season} tab={route.tab} />
    case 'player':
      return <Player id={route.id} season={route.season} />
    case 'standings':
      return <Standings season={route.season} />
    case 'conference':
      return <Standings id={route.id} season={route.season} />
    case 'leaders':
      return <Leaders subject={route.subject} season={route.season} by={route.by} />
    case 'leagues':
      return <Leagues />
    case 'compare':
      return <Compare subject={route.subject} ids={route.ids} season={route.season} />
    case 'nothing':
      return <NothingHere />
  }
}
