import { ComparedTeamFragmentDoc, readFragment, TeamRecordFragmentDoc } from 'statline-client'
import type { ComparedTeamFragment } from 'statline-client'
import { useCompareTeams } from 'statline-client/react'
import { LineChart } from '../parts/chart.tsx'
import { usePairColors } from '../parts/color.ts'
import { dayOf } from '../parts/numbers.ts'
import { Part } from '../parts/states.tsx'
import type { State } from '../parts/states.tsx'
import { nameOfTeam, readTeam, TeamLink } from '../parts/team-name.tsx'
import { VersusPart } from '../parts/versus-part.tsx'
import { league } from '../routing/route.ts'
import { captionOf, compared, teamAverages } from '../team/averages.ts'
import { recordOf } from '../team/record.ts'
import { chooseSecond } from './pair.ts'
import type { Pair } from './pair.ts'

function Head({ team }: { team: ComparedTeamFragment }) {
  const record = readFragment(TeamRecordFragmentDoc, team.stats)
  return (
    <>
      <TeamLink team={team} season={team.stats?.season} />
      {record && <p className="under">{recordOf(record)}</p>}
    </>
  )
}

const pointsOf = ({ eloHistory }: ComparedTeamFragment) =>
  (eloHistory ?? []).flatMap(({ dateOfEntry, elo }) =>
    dateOfEntry && elo != null
      ? [{ at: Date.parse(dateOfEntry), value: elo, label: dayOf(dateOfEntry) }]
      : [],
  )

interface BothProps {
  readonly first: ComparedTeamFragment
  readonly second: ComparedTeamFragment | null
  readonly shown: State
}

function Both({ first, second, shown }: BothProps) {
  const colors = usePairColors(readTeam(first), readTeam(second))
  const rows = compared('teams', teamAverages(first.stats), teamAverages(second?.stats))
  const teams = second ? [first, second] : [first]
  return (
    <>
      <section className="panel">
        <LineChart
          title="Elo rating after each game"
          lines={teams.map((team, at) => ({
            name: nameOfTeam(team),
            color: colors[at] ?? 'currentColor',
            points: pointsOf(team),
          }))}
          format={(value) => String(Math.round(value))}
        />
      </section>
      <VersusPart
        of={shown}
        value={rows}
        field="stats"
        what="the teams’ statistics"
        empty="Neither team has played in this season."
        caption={captionOf(first.stats?.season ?? second?.stats?.season)}
        rows={rows}
        heads={[
          <Head key="first" team={first} />,
          second ? <Head key="second" team={second} /> : chooseSecond,
        ]}
        colors={colors}
      />
    </>
  )
}

/** Two teams’ records, statistics and ratings. */
export function Teams({ first, second, season }: Pair) {
  const shown = useCompareTeams({ first, second: second ?? first, season: season ?? null, ...league() })
  const found = shown.data?.league
  return (
    <Part
      of={shown}
      value={found?.first}
      field="first"
      what="the teams"
      empty="There is no such team."
      told={['stats']}
    >
      {(team) => (
        <Both
          shown={shown}
          first={readFragment(ComparedTeamFragmentDoc, team)}
          second={second ? (readFragment(ComparedTeamFragmentDoc, found?.second) ?? null) : null}
        />
      )}
    </Part>
  )
}
