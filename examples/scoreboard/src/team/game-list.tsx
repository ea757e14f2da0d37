import { GameStateFragmentDoc, readFragment } from 'statline-client'
import { dayOf } from '../parts/numbers.ts'
import { TeamMark, codeOfTeam, nameOfTeam } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { seenBy } from './seen-by.ts'
import type { Played } from './seen-by.ts'
import './game-list.css'

/** Games of a team one below the other: day, opponent, and result or start. Each leads to its game. */
export function GameList({ games, teamId }: { games: readonly Played[]; teamId: string }) {
  return (
    <ul className="game-list">
      {games.map((game) => {
        const { gameId, startDate } = readFragment(GameStateFragmentDoc, game)
        const { where, opponent, outcome, score, text } = seenBy(game, teamId)
        return (
          <li key={gameId}>
            <a href={href.game(gameId)}>
              <span className="when">{startDate && dayOf(startDate)}</span>
              <span className="where">{where}</span>
              <TeamMark team={opponent} />
              <span className="name" title={codeOfTeam(opponent)}>
                {nameOfTeam(opponent)}
              </span>
              <span className={`outcome ${score ? 'live' : (outcome ?? '')}`}>
                {score && <strong>{score}</strong>} {text}
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
