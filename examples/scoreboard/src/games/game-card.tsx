import { memo } from 'react'
import { GameCardFragmentDoc, GameStateFragmentDoc, readFragment } from 'statline-client'
import type { FragmentType } from 'statline-client'
import { FavouriteButton } from '../parts/favourite-button.tsx'
import { codeOfTeam, nameOfTeam, readTeam, TeamMark } from '../parts/team-name.tsx'
import type { TeamKey } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { favouriteOf, resultsOf } from './line.ts'
import type { Codes } from './line.ts'
import { phaseOf, stateOf } from './state.ts'
import { WinBar } from './win-bar.tsx'
import './game-card.css'

export type CardKey = FragmentType<typeof GameCardFragmentDoc>

interface SideProps {
  readonly team: TeamKey
  readonly record: string | undefined
  readonly score: number | null | undefined
  readonly wins: boolean
}

function Side({ team, record, score, wins }: SideProps) {
  return (
    <div className={wins ? 'side wins' : 'side'}>
      <TeamMark team={team} />
      <span className="name">{nameOfTeam(team)}</span>
      {record && <span className="record">{record}</span>}
      {score != null && <span className="score">{score}</span>}
      <FavouriteButton team={team} />
    </div>
  )
}

/** A line with what it is: the live one must not be read as the forecast. */
function Line({ label, words }: { label: string; words: string | null }) {
  return (
    <div className="line">
      <dt>{label}</dt>
      <dd>{words ?? 'none'}</dd>
    </div>
  )
}

/** What came of the line, one statement for the spread and one for the total. */
function Results({ words }: { words: readonly string[] }) {
  return (
    <div className="line">
      <dt>Against it</dt>
      <dd>
        {words.map((one) => (
          <span key={one} className="badge">
            {one}
          </span>
        ))}
      </dd>
    </div>
  )
}

/** The lines that matter in the game's phase, and what came of them. */
function Lines({ game, codes }: { game: CardKey; codes: Codes }) {
  const card = readFragment(GameCardFragmentDoc, game)
  const { odds, lineResult } = card
  const pre = favouriteOf(odds?.pre, codes)
  switch (phaseOf(card)) {
    case 'live':
      return (
        <>
          <Line label="Live line" words={favouriteOf(odds?.live, codes)} />
          <Line label="Line before" words={pre} />
        </>
      )
    case 'final': {
      const results = lineResult ? resultsOf(lineResult, codes) : []
      return (
        <>
          <Line label="Closing line" words={pre} />
          {results.length > 0 && <Results words={results} />}
        </>
      )
    }
    default:
      return <Line label="Line" words={pre} />
  }
}

interface GameCardProps {
  readonly game: CardKey
  /** Records by team id, where they are known. */
  readonly records?: ReadonlyMap<string, string>
}

/** A game with its teams, its score and what the market and the prediction say. */
export const GameCard = memo(function GameCard({ game, records }: GameCardProps) {
  const card = readFragment(GameCardFragmentDoc, game)
  const { gameId, homeScore, awayScore } = readFragment(GameStateFragmentDoc, card)
  const { homeTeam, awayTeam, prediction, network, neutralSite } = card
  const phase = phaseOf(card)
  const isPlayed = phase === 'live' || phase === 'final'
  const codes = { home: codeOfTeam(homeTeam), away: codeOfTeam(awayTeam) }
  const leads = (own: number | null | undefined, other: number | null | undefined) =>
    phase === 'final' && (own ?? 0) > (other ?? 0)
  const recordOf = (team: TeamKey) => records?.get(readTeam(team)?.teamId ?? '')
  return (
    <article className={`card ${phase}`}>
      <p className="state">
        {phase === 'live' && <span className="live-mark">Live</span>}
        <span>{stateOf(card)}</span>
        <span className="network">
          {[neutralSite && 'Neutral site', network].filter(Boolean).join(' · ')}
        </span>
      </p>
      <Side
        team={awayTeam}
        record={recordOf(awayTeam)}
        score={isPlayed ? awayScore : null}
        wins={leads(awayScore, homeScore)}
      />
      <Side
        team={homeTeam}
        record={recordOf(homeTeam)}
        score={isPlayed ? homeScore : null}
        wins={leads(homeScore, awayScore)}
      />
      <dl className="lines">
        <Lines game={game} codes={codes} />
      </dl>
      {phase !== 'final' && phase !== 'off' && prediction?.homePercentage != null && (
        <WinBar away={awayTeam} home={homeTeam} share={prediction.homePercentage} />
      )}
      <a className="card-link" href={href.game(gameId)}>
        <span className="hidden">
          {nameOfTeam(awayTeam)} at {nameOfTeam(homeTeam)}
        </span>
      </a>
    </article>
  )
})
