import { useState } from 'react'
import { useGameBoxscore } from 'statline-client/react'
import { Part } from '../parts/states.tsx'
import { codeOfTeam, nameOfTeam, readTeam, TeamLink } from '../parts/team-name.tsx'
import { Toggle } from '../parts/toggle.tsx'
import { VersusPart } from '../parts/versus-part.tsx'
import { league } from '../routing/route.ts'
import { comparedBoxes, PlayerBoxscores } from './boxscore.tsx'
import type { Game } from './scoreline.tsx'
import { useSides } from './summary.tsx'

interface BoxscoreTabProps {
  readonly id: string
  readonly game: Game
  readonly season: number | null | undefined
  readonly pollMs: number | undefined
}

/** Both teams' numbers as bars, and the players of one team: those of the other are paid for when chosen. */
export function BoxscoreTab({ id, game, season, pollMs }: BoxscoreTabProps) {
  const [side, setSide] = useState<'AWAY' | 'HOME'>('AWAY')
  const { colors } = useSides(game)
  const shown = useGameBoxscore({ gameId: id, side, ...league() }, { pollMs })
  const found = shown.data?.league?.game
  const team = side === 'AWAY' ? game.awayTeam : game.homeTeam
  const boxOf = (of: Game['homeTeam']) =>
    found?.boxscores?.find(({ teamId }) => teamId === readTeam(of)?.teamId)
  if (found?.boxscores?.length === 0 && found.playerBoxscores?.length === 0)
    return <p className="empty">There are no boxscores yet: they come with the first points of the game.</p>
  return (
    <>
      <VersusPart
        of={shown}
        value={found?.boxscores}
        field="boxscores"
        what="boxscores"
        empty="No boxscores yet."
        caption="Team boxscores"
        rows={comparedBoxes(boxOf(game.awayTeam), boxOf(game.homeTeam))}
        heads={[
          <TeamLink key="away" team={game.awayTeam} season={season} />,
          <TeamLink key="home" team={game.homeTeam} season={season} />,
        ]}
        colors={colors}
      />
      <h2>Players</h2>
      <Toggle
        label="Team"
        options={[
          ['AWAY', codeOfTeam(game.awayTeam)],
          ['HOME', codeOfTeam(game.homeTeam)],
        ]}
        chosen={side}
        onChoose={setSide}
      />
      <Part
        of={shown}
        value={found?.playerBoxscores}
        field="playerBoxscores"
        what="players"
        empty="No players’ numbers yet."
      >
        {(boxes) => <PlayerBoxscores boxes={boxes} team={nameOfTeam(team)} season={season} />}
      </Part>
    </>
  )
}
