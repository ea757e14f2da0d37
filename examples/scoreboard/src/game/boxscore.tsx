import { DrivesFragmentDoc, readFragment, ShootingFragmentDoc } from 'statline-client'
import type { GameBoxscoreQuery } from 'statline-client'
import { decimal, madeOf, nameOf, whole } from '../parts/numbers.ts'
import { SortableTable } from '../parts/sortable-table.tsx'
import type { Column } from '../parts/sortable-table.tsx'
import type { Compared } from '../parts/versus.tsx'
import { columnMeanings, numberIn, playersTables } from '../player/player-line.ts'
import { href } from '../routing/href.ts'
import './boxscore.css'

type Game = NonNullable<NonNullable<GameBoxscoreQuery['league']>['game']>
export type TeamBoxscore = NonNullable<Game['boxscores']>[number]
export type PlayerBoxscore = NonNullable<Game['playerBoxscores']>[number]

type Numbers = Readonly<Record<string, number | null | undefined>>

const clock = (seconds: number | null) =>
  seconds === null ? '–' : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

interface Line {
  readonly label: string
  readonly of: string
  /** The attempts, or what else stands beside the number. */
  readonly beside?: string
  readonly show?: (value: number | null) => string
  readonly isLeastBest?: boolean
}

const basketballLines: readonly Line[] = [
  { label: 'Points', of: 'points' },
  { label: 'Field goals', of: 'fieldGoal', beside: 'fieldGoalAttempts' },
  { label: 'Field goal %', of: 'fieldGoalPercentage', show: decimal },
  { label: 'Three-pointers', of: 'threePointFieldGoal', beside: 'threePointFieldGoalAttempts' },
  { label: 'Three-point %', of: 'threePointFieldGoalPercentage', show: decimal },
  { label: 'Free throws', of: 'freeThrows', beside: 'freeThrowAttempts' },
  { label: 'Rebounds', of: 'totalRebounds' },
  { label: 'Offensive rebounds', of: 'offensiveRebounds' },
  { label: 'Assists', of: 'assists' },
  { label: 'Steals', of: 'steals' },
  { label: 'Blocks', of: 'blocks' },
  { label: 'Turnovers', of: 'turnovers', isLeastBest: true },
  { label: 'Fouls', of: 'fouls', isLeastBest: true },
]

const footballLines: readonly Line[] = [
  { label: 'Points', of: 'points' },
  { label: 'First downs', of: 'firstDowns' },
  { label: 'Third downs', of: 'thirdDownConversions', beside: 'thirdDownAttempts' },
  { label: 'Passes', of: 'passingCompletions', beside: 'passingAttempts' },
  { label: 'Passing yards', of: 'passingYards' },
  { label: 'Interceptions thrown', of: 'passingInterceptions', isLeastBest: true },
  { label: 'Rushes', of: 'rushingAttempts' },
  { label: 'Rushing yards', of: 'rushingYards' },
  { label: 'Penalties, yards', of: 'penalties', beside: 'penaltyYards', isLeastBest: true },
  { label: 'Fumbles lost', of: 'fumblesLost', isLeastBest: true },
  { label: 'Sacks', of: 'sacks' },
  { label: 'Possession', of: 'timeOfPossessionSeconds', show: clock },
]

const numbersOf = (fields: object): Numbers =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'number'))

/** A boxscore’s statistics, for any sport. */
function numbersIn(box: TeamBoxscore | undefined): Numbers {
  if (!box) return {}
  const points = { points: box.points }
  if (box.__typename === 'BasketballTeamBoxscore')
    return { ...points, ...numbersOf(readFragment(ShootingFragmentDoc, box)) }
  if (box.__typename === 'FootballTeamBoxscore')
    return { ...points, ...numbersOf(readFragment(DrivesFragmentDoc, box)) }
  return points
}

/** Both teams’ boxscores as lines side by side. */
export function comparedBoxes(first: TeamBoxscore | undefined, second: TeamBoxscore | undefined): Compared[] {
  const sides = [numbersIn(first), numbersIn(second)] as const
  const isFootball = (first ?? second)?.__typename === 'FootballTeamBoxscore'
  return (isFootball ? footballLines : basketballLines)
    .map(({ label, of, beside, show = whole, isLeastBest = false }) => ({
      label,
      values: [sides[0][of] ?? null, sides[1][of] ?? null] as const,
      show: (value: number | null, side: 0 | 1) =>
        beside ? madeOf(value, sides[side][beside]) : show(value),
      isLeastBest,
    }))
    .filter(({ values }) => values.some((value) => value !== null))
}

interface Players {
  readonly boxes: readonly PlayerBoxscore[]
  readonly team: string
  readonly season: number | null | undefined
}

/** The players of one team: one table, or in football one for each kind of play. */
export function PlayerBoxscores({ boxes, team, season }: Players) {
  return (
    <div className="player-tables">
      {playersTables(boxes).map((table) => (
        <PlayersTable key={table.title} {...table} team={team} season={season} />
      ))}
    </div>
  )
}

interface TableOfPlayers extends Players {
  readonly title: string
  readonly columns: readonly string[]
  readonly cells: (box: PlayerBoxscore) => readonly string[]
}

function PlayersTable({ title, columns, cells, boxes, team, season }: TableOfPlayers) {
  const numbers = columns
    .map((label, at): Column<PlayerBoxscore> => ({
      label,
      ...(columnMeanings[label] && { meaning: columnMeanings[label] }),
      cell: (box) => cells(box)[at] || '–',
      value: (box) => numberIn(cells(box)[at]),
    }))
    .filter((_column, at) => boxes.some((box) => cells(box)[at]))
  const who: Column<PlayerBoxscore> = {
    label: 'Player',
    words: true,
    upwards: true,
    cell: (box) => (
      <>
        <a href={href.player(box.playerId ?? '', season)}>{nameOf(box)}</a> <small>{box.position}</small>
      </>
    ),
    value: (box) => box.lastName ?? '',
  }
  return (
    <SortableTable
      caption={`${title} of ${team}`}
      columns={[who, ...numbers]}
      rows={boxes}
      keyOf={(box) => box.playerBoxscoreId}
    />
  )
}
