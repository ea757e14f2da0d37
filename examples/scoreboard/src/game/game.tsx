import { useMemo } from 'react'
import { GameStateFragmentDoc, readFragment } from 'statline-client'
import { useGameNow, useGameSummary } from 'statline-client/react'
import type { StateKey } from '../games/game-card.tsx'
import { stateOf } from '../games/game-card.tsx'
import { Connection, useChanged } from '../parts/connection.tsx'
import { usePoll } from '../parts/poll.ts'
import { meaningOf, Part, useTitle } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { codeOfTeam, nameOfTeam } from '../parts/team-name.tsx'
import { useVisible } from '../parts/visible.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import type { GameTab } from '../routing/route.ts'
import { BoxscoreTab } from './boxscore-tab.tsx'
import { FormTab } from './form-tab.tsx'
import { MatchupTab } from './matchup-tab.tsx'
import { OddsTab } from './odds-tab.tsx'
import { phaseOf, Scoreline } from './scoreline.tsx'
import type { Game as Found, GamePhase } from './scoreline.tsx'
import { Summary } from './summary.tsx'
import '../parts/panel.css'

const tabs: readonly (readonly [string, GameTab | undefined])[] = [
  ['Summary', undefined],
  ['Boxscore', 'boxscore'],
  ['Odds', 'odds'],
  ['Matchup', 'matchup'],
  ['Form', 'form'],
]

/**
 * How often the parts of a game are asked for again, in milliseconds. The score is one small call; the line
 * and the boxscores cost more and may be older.
 */
const polls: Readonly<Record<GamePhase, { readonly score?: number; readonly rest?: number }>> = {
  before: { score: 60_000 },
  live: { score: 15_000, rest: 60_000 },
  over: {},
}

/** Follows the game’s state with a query of its own while it may change. */
function useNow(id: string, game: Found | null | undefined, isSeen: boolean) {
  const known = game ? phaseOf(game) : 'over'
  return useGameNow(
    { gameId: id, ...league() },
    { skip: !isSeen || !game || known === 'over', pollMs: polls[known].score },
  )
}

type Answered = Pick<ReturnType<typeof useGameNow>, 'failure' | 'errors' | 'stale'>

/** Why the game is not followed just now; null while it is. */
function troubleOf({ failure, errors: [error], stale }: Answered): string | null {
  if (failure) return 'The connection was lost; trying again.'
  if (error) return `${meaningOf(error)} Trying again.`
  return stale ? 'The statistics service does not answer just now.' : null
}

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

/** A game: its score, and its parts in tabs of which each is paid for when it is shown. */
export function Game({ id, tab }: { id: string; tab?: GameTab | undefined }) {
  const isSeen = useVisible()
  const shown = useGameSummary({ gameId: id, ...league() })
  const game = shown.data?.league?.game
  const followed = useNow(id, game, isSeen)
  const now: StateKey | null = followed.data?.league?.game ?? game ?? null
  const pollMs = now && isSeen ? polls[phaseOf(now)].rest : undefined
  const changed = useChanged(now)
  usePoll(shown.refetch, pollMs)
  const title = game ? `${nameOfTeam(game.awayTeam)} at ${nameOfTeam(game.homeTeam)}` : 'Game'
  useTitle(title)
  return (
    <Part of={shown} value={game} field="game" what="the game" empty="There is no such game.">
      {(found) => (
        <>
          <h1 className="hidden">{title}</h1>
          <Scoreline game={found} now={now ?? found} />
          <Connection
            trouble={troubleOf(followed)}
            asOf={new Date(changed.getTime() - (followed.stale?.seconds ?? 0) * 1_000)}
            onRetry={followed.refetch}
          />
          <Announcement game={found} now={now ?? found} />
          <Tabs
            label="Game"
            tabs={tabs.map(([label, to]) => ({ label, href: href.game(id, to), isShown: to === tab }))}
          />
          <Shown tab={tab} id={id} game={found} pollMs={pollMs} />
        </>
      )}
    </Part>
  )
}

interface ShownProps {
  readonly tab: GameTab | undefined
  readonly id: string
  readonly game: Found
  readonly pollMs: number | undefined
}

function Shown({ tab, id, game, pollMs }: ShownProps) {
  const { season } = readFragment(GameStateFragmentDoc, game)
  switch (tab) {
    case 'boxscore':
      return <BoxscoreTab id={id} game={game} season={season} pollMs={pollMs} />
    case 'odds':
      return <OddsTab game={game} />
    case 'matchup':
      return <MatchupTab game={game} season={season} />
    case 'form':
      return <FormTab id={id} game={game} season={season} />
    default:
      return <Summary game={game} />
  }
}
