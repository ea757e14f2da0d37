import { readFragment, TeamRecordFragmentDoc } from 'statline-client'
import type { State } from '../parts/states.tsx'
import { readTeam, TeamLink } from '../parts/team-name.tsx'
import { VersusPart } from '../parts/versus-part.tsx'
import { compared, teamAverages } from '../team/averages.ts'
import { recordOf, streakOf } from '../team/record.ts'
import { href } from '../routing/href.ts'
import type { Game } from './scoreline.tsx'
import { useSides } from './summary.tsx'

function Standing({ team }: { team: Game['homeTeam'] }) {
  const record = readFragment(TeamRecordFragmentDoc, team?.stats)
  if (!record) return null
  return <p className="under">{[recordOf(record), streakOf(record)].filter(Boolean).join(' · ')}</p>
}

interface MatchupProps {
  readonly game: Game
  /** The query of the game. */
  readonly shown: State
  readonly season: number | null | undefined
}

/** Both teams' season in numbers, with their ranks in the division. */
export function MatchupTab({ game, shown, season }: MatchupProps) {
  const { colors } = useSides(game)
  const rows = compared('teams', teamAverages(game.awayTeam?.stats), teamAverages(game.homeTeam?.stats))
  const ids = [readTeam(game.awayTeam)?.teamId, readTeam(game.homeTeam)?.teamId]
  const head = (team: Game['homeTeam']) => (
    <>
      <TeamLink team={team} season={season} />
      <Standing team={team} />
    </>
  )
  return (
    <>
      <VersusPart
        of={shown}
        value={rows}
        field="stats"
        what="the teams’ statistics"
        empty="Neither team has played in this season yet."
        caption="The season so far, with ranks in the division"
        rows={rows}
        heads={[head(game.awayTeam), head(game.homeTeam)]}
        colors={colors}
      />
      {rows.length > 0 && ids[0] && ids[1] && (
        <p>
          <a href={href.compare('teams', ids[0], ids[1], season)}>Compare the two teams with their ratings</a>
        </p>
      )}
    </>
  )
}
