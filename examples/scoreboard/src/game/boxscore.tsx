import { DrivesFragmentDoc, readFragment, ShootingFragmentDoc } from 'statline-client'
import type { MatchupQuery } from 'statline-client'
import { decimal, madeOf, nameOf, whole } from '../parts/numbers.ts'
import { playersTables } from '../player/player-line.ts'
import { href } from '../routing/href.ts'
import { Table } from '../parts/table.tsx'

type Game = NonNullable<NonNullable<MatchupQuery['league']>['game']>
export type TeamBoxscore = NonNullable<Game['boxscores']>[number]
export type PlayerBoxscore = NonNullable<Game['playerBoxscores']>[number]

type Numbers = Readonly<Record<string, number | null | undefined>>

const clock = (seconds: number | null | undefined) =>
  seconds == null ? '–' : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

const basketballRows: readonly (readonly [string, (line: Numbers) => string])[] = [
  ['Field goals', (line) => madeOf(line['fieldGoal'], line['fieldGoalAttempts'])],
  ['Field goal %', (line) => decimal(line['fieldGoalPercentage'])],
  ['Three-pointers', (line) => madeOf(line['threePointFieldGoal'], line['threePointFieldGoalAttempts'])],
  ['Three-point %', (line) => decimal(line['threePointFieldGoalPercentage'])],
  ['Free throws', (line) => madeOf(line['freeThrows'], line['freeThrowAttempts'])],
  ['Rebounds', (line) => whole(line['totalRebounds'])],
  ['Offensive rebounds', (line) => whole(line['offensiveRebounds'])],
  ['Assists', (line) => whole(line['assists'])],
  ['Steals', (line) => whole(line['steals'])],
  ['Blocks', (line) => whole(line['blocks'])],
  ['Turnovers', (line) => whole(line['turnovers'])],
  ['Fouls', (line) => whole(line['fouls'])],
]

const footballRows: readonly (readonly [string, (line: Numbers) => string])[] = [
  ['First downs', (line) => whole(line['firstDowns'])],
  ['Third downs', (line) => madeOf(line['thirdDownConversions'], line['thirdDownAttempts'])],
  ['Passes', (line) => madeOf(line['passingCompletions'], line['passingAttempts'])],
  ['Passing yards', (line) => whole(line['passingYards'])],
  ['Interceptions thrown', (line) => whole(line['passingInterceptions'])],
  ['Rushes', (line) => whole(line['rushingAttempts'])],
  ['Rushing yards', (line) => whole(line['rushingYards'])],
  ['Penalties, yards', (line) => madeOf(line['penalties'], line['penaltyYards'])],
  ['Fumbles lost', (line) => whole(line['fumblesLost'])],
  ['Sacks', (line) => whole(line['sacks'])],
  ['Possession', (line) => clock(line['timeOfPossessionSeconds'])],
]

/** A boxscore’s statistics, for any sport. */
function lineOf(box: TeamBoxscore): Numbers {
  if (box.__typename === 'BasketballTeamBoxscore') return numbersOf(readFragment(ShootingFragmentDoc, box))
  if (box.__typename === 'FootballTeamBoxscore') return numbersOf(readFragment(DrivesFragmentDoc, box))
  return {}
}

const numbersOf = (fields: object): Numbers =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'number'))

interface Sides {
  readonly boxes: readonly TeamBoxscore[]
  readonly names: ReadonlyMap<string, string>
}

/** Both teams’ numbers side by side, the visitors first. */
export function TeamBoxscores({ boxes, names }: Sides) {
  const lines = boxes.map((box): Numbers => ({ ...lineOf(box), points: box.points }))
  const rows = boxes[0]?.__typename === 'FootballTeamBoxscore' ? footballRows : basketballRows
  return (
    <Table
      caption="Team boxscores"
      columns={['', ...boxes.map(({ teamId }) => names.get(teamId ?? '') ?? 'Team')]}
      rows={[['Points', (line: Numbers) => whole(line['points'])] as const, ...rows].map(([label, show]) => ({
        key: label,
        cells: [label, ...lines.map(show)],
      }))}
    />
  )
}

interface Players {
  readonly boxes: readonly PlayerBoxscore[]
  readonly team: string
  readonly season: number
}

export function PlayerBoxscores({ boxes, team, season }: Players) {
  return playersTables(boxes).map(({ title, columns, cells, boxes: shown }) => (
    <Table
      key={title}
      caption={`${title} of ${team}`}
      columns={['Player', 'Pos', ...columns]}
      rows={shown.map((box) => ({
        key: box.playerBoxscoreId,
        cells: [
          <a key="name" href={href.player(box.playerId ?? '', season)}>
            {nameOf(box)}
          </a>,
          box.position ?? '–',
          ...cells(box),
        ],
      }))}
    />
  ))
}
