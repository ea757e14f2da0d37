import { GameCardFragmentDoc, GameStateFragmentDoc, LineFragmentDoc, readFragment } from 'statline-client'
import type { FragmentType } from 'statline-client'
import { decimal, percent, signed, timeOf } from '../parts/numbers.ts'
import { href } from '../routing/href.ts'
import { readTeam, TeamMark } from '../parts/team-name.tsx'
import type { TeamKey } from '../parts/team-name.tsx'
import './game-card.css'

export type StateKey = FragmentType<typeof GameStateFragmentDoc>

/** The state of a game in words: `Final`, `1st Half 0:14`, or its start. */
export function stateOf(game: StateKey): string {
  const { status, currentPeriod, clock, startDatetime } = readFragment(GameStateFragmentDoc, game)
  if (status === 'final') return currentPeriod ?? 'Final'
  if (currentPeriod) return clock && clock !== '0:00' ? `${currentPeriod} ${clock}` : currentPeriod
  return startDatetime ? timeOf(startDatetime) : 'Time to come'
}

export function isLive(game: StateKey): boolean {
  const { status, currentPeriod } = readFragment(GameStateFragmentDoc, game)
  return status !== 'final' && Boolean(currentPeriod)
}

function Side({ team, score, wins }: { team: TeamKey; score: number | null | undefined; wins: boolean }) {
  const known = readTeam(team)
  return (
    <p className={wins ? 'side wins' : 'side'}>
      <TeamMark team={team} />
      <span className="name">{known?.name ?? 'To be announced'}</span>
      {score != null && <span className="score">{score}</span>}
    </p>
  )
}

type LineKey = FragmentType<typeof LineFragmentDoc> | null | undefined

/** A line as bettors read it: the home team’s spread and the total. */
export function lineOf(line: LineKey, home: string): string | null {
  const known = readFragment(LineFragmentDoc, line)
  if (!known) return null
  return `${home} ${signed(known.spreadHome)}, total ${decimal(known.over).replace(/\.0$/, '')}`
}

export function GameCard({ game }: { game: FragmentType<typeof GameCardFragmentDoc> }) {
  const card = readFragment(GameCardFragmentDoc, game)
  const { gameId, homeScore, awayScore, status } = readFragment(GameStateFragmentDoc, card)
  const [home, away] = [homeScore ?? 0, awayScore ?? 0]
  const isOver = status === 'final'
  const homeCode = readTeam(card.homeTeam)?.char6 ?? 'Home'
  const live = isLive(card)
  return (
    <a className={live ? 'card live' : 'card'} href={href.game(gameId)}>
      <p className="state">
        {live && <span className="dot" aria-hidden="true" />}
        {stateOf(card)}
        {card.network && <span className="network">{card.network}</span>}
      </p>
      <Side team={card.awayTeam} score={awayScore} wins={isOver && away > home} />
      <Side team={card.homeTeam} score={homeScore} wins={isOver && home > away} />
      <p className="line">
        {lineOf((live && card.odds?.live) || card.odds?.pre, homeCode) ?? 'No line'}
        {card.prediction && !isOver && ` · ${homeCode} wins ${percent(card.prediction.homePercentage)}`}
      </p>
    </a>
  )
}
