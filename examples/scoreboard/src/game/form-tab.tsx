import {
  GameStateFragmentDoc,
  readFragment,
  ScheduledGameFragmentDoc,
  TeamFormFragmentDoc,
} from 'statline-client'
import type { FragmentType, GameFormQuery, TeamFormFragment } from 'statline-client'
import { useGameForm } from 'statline-client/react'
import { dayOf, decimal, signed } from '../parts/numbers.ts'
import { codeOfTeam, readTeam, TeamLink } from '../parts/team-name.tsx'
import { Part } from '../parts/states.tsx'
import { GameList } from '../team/game-list.tsx'
import { dayAfter } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import type { Game } from './scoreline.tsx'

type Form = NonNullable<NonNullable<GameFormQuery['league']>['game']>
type Meetings = NonNullable<NonNullable<Form['homeTeam']>['games']>

/** `18–5 before this game, 8–2 in the last 10, by +4.5 points a game` */
function formOf({ form, record }: TeamFormFragment): string | null {
  if (!form) return null // nothing was asked of the service that tells
  if (form.games === 0) return 'No games yet in this season.'
  const margin =
    form.margin == null ? '' : `, by ${signed(Number(decimal(form.margin).replace('−', '-')))} points a game`
  const before = record ? `${record.wins}–${record.losses} before this game, ` : ''
  return `${before}${form.wins}–${form.losses} in the last ${form.games}${margin}`
}

const restOf = (days: number | null | undefined) =>
  days == null ? null : days === 0 ? 'No day of rest' : `${days} ${days === 1 ? 'day' : 'days'} of rest`

interface TeamFormProps {
  readonly team: Game['homeTeam']
  readonly form: FragmentType<typeof TeamFormFragmentDoc> | null | undefined
  readonly rest: number | null | undefined
  readonly season: number | null | undefined
}

function TeamForm({ team, form, rest, season }: TeamFormProps) {
  const known = readFragment(TeamFormFragmentDoc, form)
  return (
    <section className="panel">
      <h2>
        <TeamLink team={team} season={season} />
      </h2>
      {known && <p className="under">{[formOf(known), restOf(rest)].filter(Boolean).join(' · ')}</p>}
      {known?.lastGames && (
        <GameList
          games={known.lastGames.map((game) => readFragment(ScheduledGameFragmentDoc, game)).toReversed()}
          teamId={readTeam(team)?.teamId ?? ''}
        />
      )}
    </section>
  )
}

/** This season’s earlier games of both teams against each other. */
function Meetings({ games, id, game }: { games: Meetings; id: string; game: Game }) {
  const away = readTeam(game.awayTeam)?.teamId
  const met = games.filter(
    ({ gameId, homeTeamId, awayTeamId }) => gameId !== id && (homeTeamId === away || awayTeamId === away),
  )
  if (met.length === 0) return <p className="empty">They have not met before in this season.</p>
  const code = (teamId: string | null | undefined) =>
    codeOfTeam(teamId === away ? game.awayTeam : game.homeTeam)
  return (
    <ul className="plain">
      {met.map((one) => {
        const { startDate, homeScore, awayScore } = readFragment(GameStateFragmentDoc, one)
        return (
          <li key={one.gameId}>
            <a href={href.game(one.gameId)}>
              {startDate && `${dayOf(startDate)}: `}
              {code(one.awayTeamId)} {awayScore} at {code(one.homeTeamId)} {homeScore}
            </a>
          </li>
        )
      })}
    </ul>
  )
}

/** How both teams had played before the game, how long they had rested, and how they had met. */
export function FormTab({ id, game, season }: { id: string; game: Game; season: number | null | undefined }) {
  const { startDate } = readFragment(GameStateFragmentDoc, game)
  const shown = useGameForm({ gameId: id, to: startDate ? dayAfter(startDate, -1) : null, ...league() })
  return (
    <Part
      of={shown}
      value={shown.data?.league?.game}
      field="game"
      what="the form"
      empty="There is no such game."
      told={['games']}
    >
      {(found) => (
        <div className="panels pair">
          <section className="panel wide">
            <h2>Earlier meetings in this season</h2>
            <Part
              of={shown}
              value={found.homeTeam?.games && { games: found.homeTeam.games }}
              field="games"
              what="their meetings"
              empty="They have not met before in this season."
            >
              {({ games }) => <Meetings games={games} id={found.gameId} game={game} />}
            </Part>
          </section>
          <TeamForm team={game.awayTeam} form={found.awayTeam} rest={found.rest.away} season={season} />
          <TeamForm team={game.homeTeam} form={found.homeTeam} rest={found.rest.home} season={season} />
        </div>
      )}
    </Part>
  )
}
