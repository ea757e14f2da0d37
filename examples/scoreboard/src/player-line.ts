import { FootballPlayerLineFragmentDoc, PlayerLineFragmentDoc, readFragment } from 'statline/client'
import type { MatchupQuery, PlayerQuery } from 'statline/client'
import { madeOf, whole } from './numbers.ts'

type Game = NonNullable<NonNullable<MatchupQuery['league']>['game']>
type Player = NonNullable<NonNullable<PlayerQuery['league']>['player']>

/** A player's boxscore, on the page of its game or of the player. */
export type PlayerLine = NonNullable<Game['playerBoxscores'] | Player['gameLog']>[number]

/** How a sport's boxscores are shown: the columns after a player's name, and a boxscore's cells for them. */
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

/** A number that says something: a football player does few of the things that can be counted. */
const done = (value: number | null | undefined) => (value ? whole(value) : '')

const football: Lines = {
  columns: [
    'Pts',
    'Passes',
    'Pass yds',
    'Pass TD',
    'Thrown int',
    'Rushes',
    'Rush yds',
    'Rush TD',
    'Catches',
    'Rec yds',
    'Rec TD',
    'Tackles',
    'Sacks',
    'Int',
  ],
  cells(box) {
    const line =
      box.__typename === 'OtherPlayerBoxscore' ? readFragment(FootballPlayerLineFragmentDoc, box) : null
    return [
      done(box.points),
      line?.passingAttempts ? madeOf(line.passingCompletions, line.passingAttempts) : '',
      ...[
        line?.passingYards,
        line?.passingTouchdowns,
        line?.passingInterceptions,
        line?.rushingAttempts,
        line?.rushingYards,
        line?.rushingTouchdowns,
        line?.receptions,
        line?.receivingYards,
        line?.receivingTouchdowns,
        (line?.soloTackles ?? 0) + (line?.assistedTackles ?? 0),
        line?.sacks,
        line?.interceptions,
      ].map(done),
    ]
  },
}

/** Without the columns that say nothing of anybody here. */
function withoutEmpty({ columns, cells }: Lines, boxes: readonly PlayerLine[]): Lines {
  const rows = boxes.map(cells)
  const isUsed = (at: number) => rows.some((row) => row[at] !== '')
  return {
    columns: columns.filter((_, at) => isUsed(at)),
    cells: (box) => cells(box).filter((_, at) => isUsed(at)),
  }
}

export const playerLines = (boxes: readonly PlayerLine[]): Lines =>
  boxes[0]?.__typename === 'OtherPlayerBoxscore' ? withoutEmpty(football, boxes) : basketball
