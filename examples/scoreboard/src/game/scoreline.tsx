import { GameStateFragmentDoc, readFragment, TeamRecordFragmentDoc } from 'statline-client'
import type { GameSummaryQuery } from 'statline-client'
import { phaseOf as phaseInList, stateOf } from '../games/state.ts'
import type { StateKey } from '../games/state.ts'
import { wholeDayOf } from '../parts/numbers.ts'
import { TeamMark, readTeam } from '../parts/team-name.tsx'
import { recordOf } from '../team/record.ts'
import { href } from '../routing/href.ts'
import './scoreline.css'

export type Game = NonNullable<NonNullable<GameSummaryQuery['league']>['game']>
type Side = Game['homeTeam']

export type GamePhase = 'before' | 'live' | 'over'

export function phaseOf(game: StateKey): GamePhase {
  const phase = phaseInList(game)
  if (phase === 'final') return 'over'
  return phase === 'live' ? 'live' : 'before'
}

interface TeamSideProps {
  readonly team: Side
  /** The team’s statistics as of the game. */
  readonly stats: Game['homeStats']
  readonly season: number | null | undefined
  readonly place: 'away' | 'home'
}

function TeamSide({ team, stats, season, place }: TeamSideProps) {
  const known = readTeam(team)
  const record = readFragment(TeamRecordFragmentDoc, stats)
  if (!known) return <p className={`contender ${place}`}>To be announced</p>
  return (
    <a className={`contender ${place}`} href={href.team(known.teamId, season)}>
      <TeamMark team={team} />
      <span>
        <strong>{known.name ?? known.char6}</strong>
        {record && <small>{recordOf(record)}</small>}
      </span>
    </a>
  )
}

interface ScoreProps {
  readonly points: number | null | undefined
  readonly isAhead: boolean
  readonly place: 'away' | 'home'
}

const Score = ({ points, isAhead, place }: ScoreProps) => (
  <span className={`points ${place}${isAhead ? ' ahead' : ''}`}>{points ?? ''}</span>
)

/**
 * Where and on what a game is played and shown: `Saturday, February 14, 2026 · Lantern 2 · 6,390 spectators`.
 */
function circumstances(game: Game): string {
  const { startDate } = readFragment(GameStateFragmentDoc, game)
  return [
    startDate && wholeDayOf(startDate),
    game.network,
    game.neutralSite && 'Neutral site',
    game.isConfGame && 'Conference game',
    game.attendance ? `${game.attendance.toLocaleString('en')} spectators` : null,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Both teams with their records, and the score as it is `now`, which may be newer than the rest. */
export function Scoreline({ game, now }: { game: Game; now: StateKey }) {
  const { awayScore, homeScore, season } = readFragment(GameStateFragmentDoc, now)
  const phase = phaseOf(now)
  const lead = (homeScore ?? 0) - (awayScore ?? 0)
  return (
    <div className={`scoreline ${phase}`}>
      <TeamSide team={game.awayTeam} stats={game.awayStats} season={season} place="away" />
      <Score points={awayScore} isAhead={lead < 0} place="away" />
      <p className="scoreline-state">
        {phase === 'live' && <span className="dot" aria-hidden="true" />}
        {stateOf(now)}
      </p>
      <Score points={homeScore} isAhead={lead > 0} place="home" />
      <TeamSide team={game.homeTeam} stats={game.homeStats} season={season} place="home" />
      <p className="circumstances">{circumstances(game)}</p>
    </div>
  )
}
