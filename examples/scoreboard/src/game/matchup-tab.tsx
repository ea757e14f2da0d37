import { readFragment, TeamRecordFragmentDoc } from 'statline-client'
import type { State } from '../parts/states.tsx'
import { readTeam, TeamLink } from '../parts/team-name.tsx'
import { VersusPart } from '../parts/versus-part.tsx'
import { compared, teamAverages } from '../team/averages.ts'
import { recordOf, streakOf } from '../team/record.ts'
import { href } from '../routing/href.ts'
import { phaseOf } from './scoreline.tsx'
import type { Game } from './scoreline.tsx'
import { useSides } from './summary.tsx'

function Standing({ stats }: { stats: Game['homeStats'] }) {
  const record = readFragment(TeamRecordFragmentDoc, stats)
  if (!record) return null
  return <p className="under">{[recordOf(record), streakOf(record)].filter(Boolean).join(' · ')}</p>
}

interface MatchupProps {
  readonly game: Game
  /** The query of the game. */
  readonly shown: State
  readonly season: number | null | undefined
}

/** Both teams' season as of the game in numbers, with their ranks in the division. */
export function MatchupTab({ game, shown, season }: MatchupProps) {
  const { colors } = useSides(game)
  const rows = compared('teams', teamAverages(game.awayStats), teamAverages(game.homeStats))
  const ids = [readTeam(game.awayTeam)?.teamId, readTeam(game.homeTeam)?.teamId]
  const head = (team: Game['homeTeam'], stats: Game['homeStats']) => (
    <>
      <TeamLink team={team} season={season} />
      <Standing stats={stats} />
    </>
  )
  return (
    <>
      <VersusPart
        of={shown}
        value={rows}
        field={game.homeStats ? 'awayStats' : 'homeStats'}
        what="the teams’ statistics"
        empty="Neither team has played in this season yet."
        caption={`The season ${phaseOf(game) === 'over' ? 'up to this game' : 'so far'}, with ranks in the division`}
        rows={rows}
        heads={[head(game.awayTeam, game.awayStats), head(game.homeTeam, game.homeStats)]}
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
