import { RosterPlayerFragmentDoc, readFragment, TeamRosterStatisticsDocument } from 'statline-client'
import type { RosterPlayerFragment, TeamRosterQuery } from 'statline-client'
import { useTeamRoster } from 'statline-client/react'
import { nameOf, whole } from '../parts/numbers.ts'
import { PricedPart, usePriced } from '../parts/priced.tsx'
import { SortableTable } from '../parts/sortable-table.tsx'
import type { Column } from '../parts/sortable-table.tsx'
import { ordered, statistic, valueOf } from '../parts/statistics.ts'
import { Part } from '../parts/states.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { namesOf, playerAverages } from './averages.ts'

type Roster = NonNullable<NonNullable<NonNullable<TeamRosterQuery['league']>['team']>['roster']>

/** The values of one player's statistics, by their names. */
type Values = ReadonlyMap<string, number | null>

interface Listed {
  readonly player: RosterPlayerFragment
  readonly games: number | null
  readonly values: Values
}

/** `6-4` in inches; null if it is not known. */
function inches(height: string | null): number | null {
  const [feet = Number.NaN, rest = Number.NaN] = (height ?? '').split('-').map(Number)
  return Number.isNaN(feet + rest) ? null : feet * 12 + rest
}

const name = (season: number): Column<Listed> => ({
  label: 'Player',
  words: true,
  upwards: true,
  cell: ({ player }) => <a href={href.player(player.playerId, season)}>{nameOf(player)}</a>,
  value: ({ player }) => player.lastName,
})

const number: Column<Listed> = {
  label: 'No.',
  meaning: 'Number on the shirt',
  upwards: true,
  cell: ({ player }) => player.number ?? '–',
  value: ({ player }) => (player.number === null ? null : Number(player.number)),
}

const position: Column<Listed> = {
  label: 'Pos',
  meaning: 'Position',
  words: true,
  upwards: true,
  cell: ({ player }) => player.position ?? '–',
  value: ({ player }) => player.position,
}

const body: readonly Column<Listed>[] = [
  {
    label: 'Height',
    cell: ({ player }) => player.height ?? '–',
    value: ({ player }) => inches(player.height),
  },
  {
    label: 'Weight',
    meaning: 'Weight in pounds',
    cell: ({ player }) => whole(player.weight),
    value: ({ player }) => player.weight,
  },
  {
    label: 'Home town',
    words: true,
    upwards: true,
    cell: ({ player }) => player.hometown ?? '–',
    value: ({ player }) => player.hometown,
  },
]

const numbers = (names: readonly string[]): readonly Column<Listed>[] => [
  ...names.map((name): Column<Listed> => ({
    label: statistic(name).short,
    meaning: statistic(name).label,
    cell: ({ values }) => (values.get(name) == null ? '' : valueOf(name, values.get(name))),
    value: ({ values }) => values.get(name),
  })),
  { label: 'G', meaning: 'Games', cell: ({ games }) => whole(games), value: ({ games }) => games },
]

interface RosterProps {
  readonly id: string
  readonly season: number
  readonly roster: Roster
}

/** The players’ statistics: a call for each, so the reader is asked where they are many. */
function Statistics({ id, season, roster }: RosterProps) {
  const priced = usePriced(TeamRosterStatisticsDocument, { teamId: id, season, ...league() })
  const rows = new Map(
    priced.data?.league?.team?.roster?.map(({ playerId, stats }) => [playerId, stats]) ?? [],
  )
  const listed = readFragment(RosterPlayerFragmentDoc, roster).map((player): Listed => {
    const stats = rows.get(player.playerId)
    return {
      player,
      games: stats?.games ?? null,
      values: new Map(playerAverages(stats).map(({ name, value }) => [name, value])),
    }
  })
  const names = ordered(namesOf([...rows.values()].flatMap(playerAverages)))
  return (
    <PricedPart of={priced} what="The players’ statistics">
      <Part
        of={priced}
        value={priced.data?.league?.team?.roster}
        field="stats"
        what="statistics"
        empty="No statistics in this season."
      >
        {() => (
          <SortableTable
            caption="Statistics of the players"
            columns={[name(season), position, ...numbers(names)]}
            rows={listed.filter(({ games }) => games)}
            keyOf={({ player }) => player.playerId}
            order={{ at: 2, upwards: false }}
          />
        )}
      </Part>
    </PricedPart>
  )
}

/** A team’s players, and their statistics. */
export function RosterTab({ id, season }: { id: string; season: number }) {
  const shown = useTeamRoster({ teamId: id, season, ...league() })
  return (
    <Part
      of={shown}
      value={shown.data?.league?.team?.roster}
      field="roster"
      what="the roster"
      empty="No roster for this season."
    >
      {(roster) => (
        <>
          <Statistics id={id} season={season} roster={roster} />
          <SortableTable
            caption="Roster"
            columns={[name(season), number, position, ...body]}
            rows={readFragment(RosterPlayerFragmentDoc, roster).map((player) => ({
              player,
              games: null,
              values: new Map(),
            }))}
            keyOf={({ player }) => player.playerId}
            order={{ at: 1, upwards: true }}
          />
        </>
      )}
    </Part>
  )
}
