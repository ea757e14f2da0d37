import { GameStateFragmentDoc, readFragment } from 'statline-client'
import { useMatchup } from 'statline-client/react'
import type { MatchupQuery } from 'statline-client'
import { PlayerBoxscores, TeamBoxscores } from './boxscore.tsx'
import { useTeamColor } from '../parts/color.ts'
import { isLive, lineOf, stateOf } from '../games/game-card.tsx'
import { percent, whole, wholeDayOf } from '../parts/numbers.ts'
import { OddsMovement } from './odds-movement.tsx'
import { league } from '../routing/route.ts'
import { season as lastSeason } from '../routing/season.ts'
import { Part, useTitle } from '../parts/states.tsx'
import { readTeam, TeamLink } from '../parts/team-name.tsx'
import { useVisible } from '../parts/visible.ts'
import './game.css'

type Matchup = NonNullable<NonNullable<MatchupQuery['league']>['game']>

const codes = (game: Matchup) =>
  [readTeam(game.awayTeam), readTeam(game.homeTeam)].flatMap((team) =>
    team ? [[team.teamId, team.name ?? team.char6 ?? 'Team'] as const] : [],
  )

function Scoreline({ game }: { game: Matchup }) {
  const { awayScore, homeScore, season, startDate } = readFragment(GameStateFragmentDoc, game)
  return (
    <div className="scoreline">
      <p className="state">
        {isLive(game) && <span className="dot" aria-hidden="true" />}
        {stateOf(game)}
        {startDate && ` · ${wholeDayOf(startDate)}`}
        {game.network && ` · ${game.network}`}
      </p>
      <p>
        <TeamLink team={game.awayTeam} season={season} />
        <strong className="score">{awayScore}</strong>
      </p>
      <p>
        <TeamLink team={game.homeTeam} season={season} />
        <strong className="score">{homeScore}</strong>
      </p>
    </div>
  )
}

/** `LONGME 66, HARROW 71; HARROW wins 64%` */
function predicted({ prediction }: Matchup, away: string, home: string): string {
  if (!prediction) return 'No prediction'
  const { awayScore, homeScore, homePercentage } = prediction
  return `${away} ${whole(awayScore)}, ${home} ${whole(homeScore)}; ${home} wins ${percent(homePercentage)}`
}

function Expectations({ game }: { game: Matchup }) {
  const home = readTeam(game.homeTeam)?.char6 ?? 'Home'
  const away = readTeam(game.awayTeam)?.char6 ?? 'Visitors'
  const { odds } = game
  return (
    <dl className="facts">
      <div>
        <dt>Line before the game</dt>
        <dd>{lineOf(odds?.pre, home) ?? 'None'}</dd>
      </div>
      <div>
        <dt>Line during the game</dt>
        <dd>{lineOf(odds?.live, home) ?? 'None'}</dd>
      </div>
      <div>
        <dt>Predicted</dt>
        <dd>{predicted(game, away, home)}</dd>
      </div>
    </dl>
  )
}

/** A game with odds movement and both boxscores. */
export function Game({ id }: { id: string }) {
  const pollMs = useVisible() ? 15_000 : undefined
  const shown = useMatchup({ gameId: id, ...league() }, { pollMs })
  const game = shown.data?.league?.game
  const names = game ? codes(game).map(([, name]) => name) : []
  useTitle(names.length > 0 ? names.join(' at ') : 'Game')
  return (
    <Part of={shown} value={game} field="game" what="the game" empty="There is no such game.">
      {(found) => <Found game={found} shown={shown} />}
    </Part>
  )
}

function Found({ game, shown }: { game: Matchup; shown: ReturnType<typeof useMatchup> }) {
  const names = new Map(codes(game))
  const home = readTeam(game.homeTeam)
  const color = useTeamColor(home)
  const { gameId, season } = readFragment(GameStateFragmentDoc, game)
  const year = season ?? lastSeason.last
  return (
    <>
      <h1>{[...names.values()].join(' at ')}</h1>
      <Scoreline game={game} />
      <Expectations game={game} />
      <OddsMovement gameId={gameId} home={home?.char6 ?? 'home'} color={color} />
      <section>
        <h2>Boxscores</h2>
        <Part of={shown} value={game.boxscores} field="boxscores" what="boxscores" empty="No boxscores yet.">
          {(boxes) => <TeamBoxscores boxes={boxes} names={names} />}
        </Part>
        <Part
          of={shown}
          value={game.playerBoxscores}
          field="playerBoxscores"
          what="players"
          empty="No players’ numbers."
        >
          {(boxes) =>
            [...names].map(([teamId, name]) => (
              <div key={teamId} className="players">
                <PlayerBoxscores
                  boxes={boxes.filter((box) => box.teamId === teamId)}
                  team={name}
                  season={year}
                />
              </div>
            ))
          }
        </Part>
      </section>
    </>
  )
}
