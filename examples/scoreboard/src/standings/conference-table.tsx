import {
  ConferenceRecordsDocument,
  readFragment,
  SplitRecordFragmentDoc,
  TeamRecordFragmentDoc,
} from 'statline-client'
import type { ConferenceRecordsQuery, StandingsQuery } from 'statline-client'
import { useStandings } from 'statline-client/react'
import { EmptySeason } from '../parts/empty-season.tsx'
import { FavouriteButton } from '../parts/favourite-button.tsx'
import { decimal, whole } from '../parts/numbers.ts'
import { Extra, usePriced } from '../parts/priced.tsx'
import { SeasonPicker } from '../parts/season-picker.tsx'
import { SortableTable } from '../parts/sortable-table.tsx'
import type { Column } from '../parts/sortable-table.tsx'
import { Part } from '../parts/states.tsx'
import { nameOfTeam, TeamLink } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { season as lastSeason } from '../routing/season.ts'

type Projection = NonNullable<NonNullable<StandingsQuery['conference']>['projection']>
type Projected = Projection['standings'][number]
type Current = NonNullable<NonNullable<ConferenceRecordsQuery['conference']>['standings']>[number]

/** One team of the table. `current` is there once it was paid for. */
interface Row {
  readonly projected: Projected
  readonly current: Current | undefined
  readonly place: number
}

type Figure = { readonly value: number | null } | null | undefined

const sum = (...figures: readonly Figure[]) =>
  figures.every((figure) => figure?.value == null)
    ? null
    : figures.reduce((total, figure) => total + (figure?.value ?? 0), 0)

/** The record as it is: of the projected row only the four totals are projected, not its parts. */
function recordOf({ projected, current }: Row) {
  const split = readFragment(SplitRecordFragmentDoc, projected)
  return {
    wins: current?.wins ?? sum(split.homewins, split.roadwins, split.neutralwins),
    losses: current?.losses ?? sum(split.homelosses, split.roadlosses, split.neutrallosses),
  }
}

const totals = ({ projected }: Row) => readFragment(TeamRecordFragmentDoc, projected)

const versus = (won: number | null | undefined, lost: number | null | undefined) =>
  won == null && lost == null ? '–' : `${whole(won)}–${whole(lost)}`

/** `W3`, `L2` */
function Streak({ of }: { of: number | null | undefined }) {
  if (!of) return '–'
  const words = `${of > 0 ? 'Won' : 'Lost'} ${Math.abs(of)}`
  return (
    <span className={of > 0 ? 'won' : 'lost'}>
      <span aria-hidden="true" title={words}>
        {of > 0 ? 'W' : 'L'}
        {Math.abs(of)}
      </span>
      <span className="hidden">{words}</span>
    </span>
  )
}

/** `.750`, as standings are written. */
const share = (value: number | null | undefined) => (value == null ? '–' : value.toFixed(3).replace(/^0/, ''))

const shareOf = (won: number | null, lost: number | null) =>
  won === null || lost === null || won + lost === 0 ? null : won / (won + lost)

const behind = (games: number | undefined) =>
  games === undefined ? '–' : games === 0 ? '–' : decimal(games).replace(/\.0$/, '')

/** Does not break at its dash. */
const winsLosses = 'W\u2060–\u2060L'

function columnsOf(season: number | undefined, isPaid: boolean, hasAccess: boolean): readonly Column<Row>[] {
  const streakOf = (row: Row) => row.current?.streak ?? totals(row).streak?.value ?? null
  const overall = (row: Row) => shareOf(recordOf(row).wins, recordOf(row).losses)
  const team: Column<Row> = {
    label: 'Team',
    words: true,
    upwards: true,
    value: ({ projected }) => nameOfTeam(projected.team),
    cell: ({ projected, place }) => (
      <span className="standing-team">
        <span className="place">{place}</span>
        <TeamLink team={projected.team} season={season} />
        <FavouriteButton team={projected.team} />
      </span>
    ),
  }
  const inConference: readonly Column<Row>[] = [
    {
      label: 'Conf',
      meaning: 'Wins and losses in the conference',
      value: ({ current }) => current?.conferenceWins,
      cell: ({ current }) => versus(current?.conferenceWins, current?.conferenceLosses),
    },
    {
      label: 'GB',
      meaning: 'Games behind the first team of the conference',
      upwards: true,
      value: ({ current }) => current?.gamesBehind,
      cell: ({ current }) => behind(current?.gamesBehind),
    },
  ]
  const soFar: readonly Column<Row>[] = [
    {
      label: winsLosses,
      meaning: 'Wins and losses so far, all games',
      value: (row) => recordOf(row).wins,
      cell: (row) => versus(recordOf(row).wins, recordOf(row).losses),
    },
    {
      label: 'Strk',
      meaning: 'Games won or lost in a row',
      value: streakOf,
      cell: (row) => <Streak of={streakOf(row)} />,
    },
  ]
  const conferenceShare: Column<Row> = {
    label: 'Conf %',
    meaning: 'Share of conference games won',
    value: ({ current }) => current?.conferencePercentage,
    cell: ({ current }) => share(current?.conferencePercentage),
  }
  const allShare: Column<Row> = {
    label: 'Pct',
    meaning: 'Share of all games won',
    value: overall,
    cell: (row) => share(overall(row)),
  }
  const projected: readonly Column<Row>[] = [
    {
      label: 'Proj conf',
      meaning: 'Projected wins and losses in the conference at the end of the season',
      value: (row) => totals(row).confwins?.value,
      cell: (row) => versus(totals(row).confwins?.value, totals(row).conflosses?.value),
    },
    {
      label: `Proj ${winsLosses}`,
      meaning: 'Projected wins and losses at the end of the season',
      value: (row) => totals(row).wins?.value,
      cell: (row) => versus(totals(row).wins?.value, totals(row).losses?.value),
    },
  ]
  // A phone shows the first few of them.
  const shares = isPaid ? [conferenceShare, allShare] : [allShare]
  return [team, ...(isPaid ? inConference : []), ...soFar, ...shares, ...(hasAccess ? projected : [])]
}

/** The teams in the order of the table as it stands, or of the projected one while that is all there is. */
function rowsOf({ standings }: Projection, current: readonly Current[] | null | undefined): readonly Row[] {
  const known = new Map(current?.map((line) => [line.teamId, line]))
  return standings
    .map((projected, at) => {
      const line = known.get(projected.teamId ?? '')
      return { projected, current: line, place: line?.place ?? at + 1 }
    })
    .toSorted((a, b) => a.place - b.place)
}

interface TableProps {
  readonly id: string
  readonly season: number
  readonly projection: Projection
}

function Table({ id, season, projection }: TableProps) {
  const paid = usePriced(ConferenceRecordsDocument, { conferenceId: id, season }, { isOffered: true })
  const current = paid.data?.conference?.standings
  const { hasAccess } = projection
  return (
    <>
      <p className="under">
        {current ? 'In the order of the table today.' : 'In the order of the projected table.'}{' '}
        {hasAccess
          ? 'Projected are the records so far plus the simulated results of every game to come.'
          : 'The plan of this key does not include projections.'}
      </p>
      <SortableTable
        key={current ? 'current' : 'projected'}
        caption="Standings"
        columns={columnsOf(season, Boolean(current), hasAccess)}
        rows={rowsOf(projection, current)}
        keyOf={({ projected }) => projected.statisticRankingId}
      />
      <Extra of={paid} what="Today’s table, with conference records and games behind" name="today’s table" />
    </>
  )
}

/** A conference's table in a season, or in the one under way. */
export function ConferenceTable({ id, season }: { id: string; season: number | undefined }) {
  const shown = useStandings({ conferenceId: id, season: season ?? null, ...league() })
  const { conference, league: found } = shown.data ?? {}
  const year = season ?? found?.currentSeason ?? lastSeason.last
  lastSeason.last = year
  const projection = conference?.projection
  const isEmpty = projection?.standings.length === 0
  return (
    <>
      <SeasonPicker season={year} hrefOf={(other) => href.conference(id, other)} />
      {isEmpty || (shown.data && !projection && shown.errors.length === 0) ? (
        <EmptySeason what="standings" season={year} hrefOf={(other) => href.conference(id, other)} />
      ) : (
        <Part of={shown} value={projection} field="projection" what="the table" empty="No table.">
          {(known) => <Table id={id} season={year} projection={known} />}
        </Part>
      )}
    </>
  )
}
