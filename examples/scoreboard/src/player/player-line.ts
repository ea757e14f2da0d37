import { FootballPlayerLineFragmentDoc, PlayerLineFragmentDoc, readFragment } from 'statline-client'
import type { GameBoxscoreQuery, PlayerQuery } from 'statline-client'
import { madeOf, whole } from '../parts/numbers.ts'

type Game = NonNullable<NonNullable<GameBoxscoreQuery['league']>['game']>
type Player = NonNullable<NonNullable<PlayerQuery['league']>['player']>

/** A player's boxscore, on the page of its game or of the player. */
export type PlayerLine = NonNullable<Game['playerBoxscores'] | Player['gameLog']>[number]

/** What the columns' labels stand for. */
export const columnMeanings: Readonly<Record<string, string>> = {
  Min: 'Minutes played',
  Pts: 'Points',
  FG: 'Field goals made and attempted',
  '3P': 'Three-pointers made and attempted',
  FT: 'Free throws made and attempted',
  Reb: 'Rebounds',
  Ast: 'Assists',
  Stl: 'Steals',
  Blk: 'Blocks',
  TO: 'Turnovers',
  PF: 'Personal fouls',
  Passes: 'Passes completed and attempted',
  TD: 'Touchdowns',
  Int: 'Interceptions',
  'Pass yds': 'Passing yards',
  'Pass TD': 'Passing touchdowns',
  'Thrown int': 'Interceptions thrown',
  'Rush yds': 'Rushing yards',
  'Rush TD': 'Rushing touchdowns',
  'Rec yds': 'Receiving yards',
  'Rec TD': 'Receiving touchdowns',
}

/** The number that a cell begins with, by which it is sorted: `5–11` → 5. */
export function numberIn(cell: string | undefined): number | null {
  const number = Number.parseFloat((cell ?? '').replace('−', '-'))
  return Number.isNaN(number) ? null : number
}

/** How a sport's boxscores are shown: the columns after the player's name, and the cells of a boxscore. */
interface Lines {
  readonly columns: readonly string[]
  readonly cells: (box: PlayerLine) => string[]
}

const basketball: Lines = {
  columns: ['Min', 'Pts', 'FG', '3P', 'FT', 'Reb', 'Ast', 'Stl', 'Blk', 'TO', 'PF'],
  cells(box) {
    const line =
      box.__typename === 'BasketballPlayerBoxscore' ? readFragment(PlayerLineFragmentDoc, box) : null
    return [
      whole(line?.minutesPlayed),
      whole(box.points),
      madeOf(line?.fieldGoal, line?.fieldGoalAttempts),
      madeOf(line?.threePointFieldGoal, line?.threePointFieldGoalAttempts),
      madeOf(line?.freeThrows, line?.freeThrowAttempts),
      ...[line?.totalRebounds, line?.assists, line?.steals, line?.blocks, line?.turnovers, line?.fouls].map(
        whole,
      ),
    ]
  },
}

function footballLineOf(box: PlayerLine) {
  if (box.__typename !== 'OtherPlayerBoxscore') return null
  return { points: box.points, ...readFragment(FootballPlayerLineFragmentDoc, box) }
}

type FootballLine = NonNullable<ReturnType<typeof footballLineOf>>

type Amount = number | null | undefined

/** Football's statistics by kind of play: columns within the kind, columns among all kinds, and numbers. */
interface Play {
  readonly title: string
  readonly columns: readonly (readonly [string, string, (line: FootballLine) => Amount])[]
  /** Sorts the players of a kind of play, the most productive first. */
  readonly most: (line: FootballLine) => number | null | undefined
}

const tackles = (line: FootballLine) => (line.soloTackles ?? 0) + (line.assistedTackles ?? 0)

const plays: readonly Play[] = [
  {
    title: 'Passing',
    columns: [
      ['Passes', 'Passes', (line) => line.passingAttempts],
      ['Yards', 'Pass yds', (line) => line.passingYards],
      ['TD', 'Pass TD', (line) => line.passingTouchdowns],
      ['Int', 'Thrown int', (line) => line.passingInterceptions],
    ],
    most: (line) => line.passingYards,
  },
  {
    title: 'Rushing',
    columns: [
      ['Rushes', 'Rushes', (line) => line.rushingAttempts],
      ['Yards', 'Rush yds', (line) => line.rushingYards],
      ['TD', 'Rush TD', (line) => line.rushingTouchdowns],
    ],
    most: (line) => line.rushingYards,
  },
  {
    title: 'Receiving',
    columns: [
      ['Catches', 'Catches', (line) => line.receptions],
      ['Yards', 'Rec yds', (line) => line.receivingYards],
      ['TD', 'Rec TD', (line) => line.receivingTouchdowns],
    ],
    most: (line) => line.receivingYards,
  },
  {
    title: 'Defence',
    columns: [
      ['Tackles', 'Tackles', (line) => tackles(line)],
      ['Sacks', 'Sacks', (line) => line.sacks],
      ['Int', 'Int', (line) => line.interceptions],
    ],
    most: tackles,
  },
  {
    title: 'Scoring',
    columns: [['Points', 'Pts', (line) => line.points]],
    most: (line) => line.points,
  },
]

/** The cells of a kind of play; empty without any part in it: a football player has few of the statistics. */
function cellsOf({ columns }: Play, line: FootballLine | null): string[] {
  const amounts = columns.map(([, , amountIn]) => line && amountIn(line))
  if (!line || !amounts.some(Boolean)) return columns.map(() => '')
  return columns.map(([title], at) =>
    title === 'Passes' ? madeOf(line.passingCompletions, line.passingAttempts) : whole(amounts[at]),
  )
}

/** All kinds of play in one row. */
const football: Lines = {
  columns: plays.flatMap(({ columns }) => columns.map(([, name]) => name)),
  cells(box) {
    const line = footballLineOf(box)
    return plays.flatMap((play) => cellsOf(play, line))
  },
}

/** Removes columns that are empty for all players here. */
function withoutEmpty({ columns, cells }: Lines, boxes: readonly PlayerLine[]): Lines {
  const rows = boxes.map(cells)
  const isUsed = (at: number) => rows.some((row) => row[at] !== '')
  return {
    columns: columns.filter((_, at) => isUsed(at)),
    cells: (box) => cells(box).filter((_, at) => isUsed(at)),
  }
}

const isFootball = ([box]: readonly PlayerLine[]) => box?.__typename === 'OtherPlayerBoxscore'

/** A player's games, one below the other. */
export const playerLines = (boxes: readonly PlayerLine[]): Lines =>
  isFootball(boxes) ? withoutEmpty(football, boxes) : basketball

interface PlayersTable<Box> extends Lines {
  readonly title: string
  readonly boxes: readonly Box[]
}

/**
 * A team's players in a game: one table, or in football one for each kind of play with the players who took
 * part.
 */
export function playersTables<Box extends PlayerLine>(boxes: readonly Box[]): PlayersTable<Box>[] {
  if (!isFootball(boxes))
    return [{ ...basketball, title: 'Players', boxes: byMost(boxes, ({ points }) => points) }]
  return plays.map((play) => {
    const { title, columns, most } = play
    const cells = (box: PlayerLine) => cellsOf(play, footballLineOf(box))
    const involved = boxes.filter((box) => cells(box).some(Boolean))
    return {
      title,
      columns: columns.map(([name]) => name),
      cells,
      boxes: byMost(involved, (box) => {
        const line = footballLineOf(box)
        return line && most(line)
      }),
    }
  })
}

const byMost = <Box>(boxes: readonly Box[], most: (box: Box) => number | null | undefined) =>
  boxes.toSorted((a, b) => (most(b) ?? -Infinity) - (most(a) ?? -Infinity))
