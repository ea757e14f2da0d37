import { useMemo, useState } from 'react'
import { GameStateFragmentDoc, readFragment } from 'statline-client'
import { useGameSummary } from 'statline-client/react'
import { stateOf } from '../games/state.ts'
import type { StateKey } from '../games/state.ts'
import { Connection } from '../parts/connection.tsx'
import { usePoll } from '../parts/poll.ts'
import { Part, useTitle } from '../parts/states.tsx'
import type { State } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { codeOfTeam, nameOfTeam } from '../parts/team-name.tsx'
import { useVisible } from '../parts/visible.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import type { GameTab } from '../routing/route.ts'
import { NothingHere } from '../shell/nothing-here.tsx'
import { BoxscoreTab } from './boxscore-tab.tsx'
import { FormTab } from './form-tab.tsx'
import { MatchupTab } from './matchup-tab.tsx'
import { OddsTab } from './odds-tab.tsx'
import { useFollowed } from './followed.ts'
import { phaseOf, Scoreline } from './scoreline.tsx'
import type { Game as Found } from './scoreline.tsx'
import { Summary } from './summary.tsx'
import '../parts/panel.css'

const tabs: readonly (readonly [string, GameTab | undefined])[] = [
  ['Summary', undefined],
  ['Boxscore', 'boxscore'],
  ['Odds', 'odds'],
  ['Matchup', 'matchup'],
  ['Form', 'form'],
]

/** How often the line and the boxscores of a game are asked for again: they cost more than its score. */
const restMs = 60_000

/** Says a new score to those who cannot see it; not each new time on the clock. */
function Announcement({ game, now }: { game: Found; now: StateKey }) {
  const { awayScore, homeScore } = readFragment(GameStateFragmentDoc, now)
  const phase = phaseOf(now)
  const text = useMemo(
    () =>
      phase === 'before'
        ? ''
        : `${codeOfTeam(game.awayTeam)} ${awayScore}, ${codeOfTeam(game.homeTeam)} ${homeScore}, ${stateOf(now)}`,
    [awayScore, homeScore, phase],
  )
  return (
    <p className="hidden" role="status">
      {text}
    </p>
  )
}

/** What only the summary and the odds show, which tell its failure themselves. */
const ofLines = ['prediction', 'odds', 'lineResult']
/** Of the game's own query, the failures that each tab tells itself or does not show. */
const toldBy = (tab: GameTab | undefined) =>
  tab === 'matchup' ? [...ofLines, 'homeStats', 'awayStats'] : ofLines

/** The tabs that show nothing of the summary but its head, and cost enough without the rest. */
const needsHead = (tab: GameTab | undefined) => tab === 'boxscore' || tab === 'form'

/** The game's own query: its head while no tab has needed more, which is shown until all has come. */
function useGame(gameId: string, tab: GameTab | undefined) {
  const [begun] = useState(tab)
  const [isWhole, setWhole] = useState(!needsHead(tab))
  if (!isWhole && !needsHead(tab)) setWhole(true)
  const head = useGameSummary({ gameId, isHead: true, ...league() }, { skip: !needsHead(begun) })
  const whole = useGameSummary({ gameId, ...league() }, { skip: !isWhole })
  const shown = isWhole ? whole : head
  return { shown, game: whole.data?.league?.game ?? head.data?.league?.game ?? shown.data?.league?.game }
}

/** A game: its score, and its parts in tabs of which each is paid for when it is shown. */
export function Game({ id, tab }: { id: string; tab?: GameTab | undefined }) {
  const isSeen = useVisible()
  const { shown, game } = useGame(id, tab)
  const { now, connection } = useFollowed(id, game)
  const pollMs = now && isSeen && phaseOf(now) === 'live' ? restMs : undefined
  usePoll(shown.refetch, pollMs)
  const title = game ? `${nameOfTeam(game.awayTeam)} at ${nameOfTeam(game.homeTeam)}` : 'Game'
  useTitle(title)
  return (
    <Part
      of={shown}
      value={game}
      field="game"
      what="the game"
      empty={<NothingHere why="There is no such game." />}
      title="Game"
      told={toldBy(tab)}
    >
      {(found) => (
        <>
          <h1 className="hidden">{title}</h1>
          <Scoreline game={found} now={now ?? found} />
          <Connection {...connection} />
          <Announcement game={found} now={now ?? found} />
          <Tabs
            label="Game"
            tabs={tabs.map(([label, to]) => ({ label, href: href.game(id, to), isShown: to === tab }))}
          />
          <Shown tab={tab} id={id} game={found} shown={shown} pollMs={pollMs} />
        </>
      )}
    </Part>
  )
}

interface ShownProps {
  readonly tab: GameTab | undefined
  readonly id: string
  readonly game: Found
  /** The query of the game. */
  readonly shown: State
  readonly pollMs: number | undefined
}

function Shown({ tab, id, game, shown, pollMs }: ShownProps) {
  const { season } = readFragment(GameStateFragmentDoc, game)
  switch (tab) {
    case 'boxscore':
      return <BoxscoreTab id={id} game={game} season={season} pollMs={pollMs} />
    case 'odds':
      return <OddsTab game={game} shown={shown} />
    case 'matchup':
      return <MatchupTab game={game} shown={shown} season={season} />
    case 'form':
      return <FormTab id={id} game={game} season={season} />
    default:
      return <Summary game={game} shown={shown} />
  }
}
