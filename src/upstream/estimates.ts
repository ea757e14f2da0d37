import { playerColumnsNotInRoster, sportColumns, statistics, tables } from '../specification/tables.ts'
import type { Columns, Kind } from '../specification/columns.ts'
import { bytesPerToken } from './bill.ts'
import type { Bill } from './bill.ts'
import { nameOf } from './operations.ts'
import type { Operation } from './operations.ts'

/** Characters that a value of each kind takes in JSON, on average. */
const widths: Readonly<Record<Kind, number>> = {
  key: 38,
  text: 14,
  integer: 4,
  number: 5,
  flag: 1,
  timestamp: 26,
  day: 26,
}

const widthOf = (columns: Columns) =>
  Object.entries(columns).reduce((sum, [name, { kind }]) => sum + name.length + 4 + widths[kind], 2)

const statisticsWidth = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + 2 * name.length + 22, 0)

const keyed = 41

/** Bytes of one row of an operation's answer by the specification's columns, before any answer was seen. */
function firstGuess(operation: Operation): number {
  const { game, team, odds, prediction, boxscore, player_boxscore } = tables
  switch (nameOf(operation)) {
    case 'search/search':
      return 1500
    case 'game/getGames':
      return keyed + widthOf(game) + 2 * (keyed + widthOf(team))
    case 'game/getScores':
      return keyed + 160 + widthOf(prediction) + widthOf(odds)
    case 'boxscore/getBoxscore':
    case 'boxscore/readBoxscore':
      return keyed + widthOf(boxscore) + widthOf(sportColumns.football_boxscore)
    case 'player_boxscore/read':
      return keyed + widthOf(player_boxscore) + widthOf(sportColumns.basketball_player_boxscore)
    case 'player/getGameLogs':
      return firstGuessOfGameLog()
    case 'team/getPlayers':
      return keyed + widthOf(tables.player) - 34 * playerColumnsNotInRoster.length
  }
  if (operation.yields === 'search') return 1500
  const ranked = operation.yields.endsWith('ranking') ? (statistics['statistic_ranking']?.ranked ?? []) : []
  return keyed + widthOf(tables[operation.yields]) + statisticsWidth(ranked)
}

const firstGuessOfGameLog = () =>
  keyed +
  widthOf(tables.player_boxscore) +
  widthOf(sportColumns.basketball_player_boxscore) +
  widthOf(tables.game) +
  2 * widthOf(tables.team)

/** How many rows an operation answers with for each id, or each call, before any answer was seen. */
const firstRows: Readonly<Record<string, number>> = {
  'game/getGames': 30,
  'game/getScores': 30,
  'odds/read': 4,
  'boxscore/readBoxscore': 2,
  'player_boxscore/read': 20,
  'team/getPlayers': 15,
  'player/getGameLogs': 30,
  'player/getSeasons': 4,
}

/** The least, the usual and the most of a figure. */
interface Range {
  least: number
  usual: number
  most: number
}

export type Level = keyof Range

interface Seen {
  readonly bytesPerRow: Range
  readonly rowsPerId: Range
}

/** How much of the usual figure each new answer is. */
const weight = 0.2

const guess = (usual: number, doubt: number): Range => ({ least: usual / doubt, usual, most: usual * doubt })

/** Bytes and rows that operations answer with, learned from their answers. */
export class Estimates {
  readonly #seen = new Map<string, Seen>()
  /** All that was billed, whose ratio is the price. */
  readonly #billed = { bytes: 0, tokens: 0 }

  bytesPerRow(operation: Operation, level: Level = 'usual'): number {
    return this.#of(operation).bytesPerRow[level]
  }

  /** Rows for each id of the operation's batch argument, or for the whole call where it takes none. */
  rowsPerId(operation: Operation, level: Level = 'usual'): number {
    return this.#of(operation).rowsPerId[level]
  }

  bytes(operation: Operation, ids: number, level: Level = 'usual'): number {
    return this.bytesPerRow(operation, level) * this.rowsPerId(operation, level) * ids + 2
  }

  tokens(operation: Operation, ids: number, level: Level = 'usual'): number {
    return Math.max(1, Math.ceil(this.bytes(operation, ids, level) / this.#price()))
  }

  learn(operation: Operation, ids: number, rows: number, bill: Bill): void {
    const { bytesPerRow, rowsPerId } = this.#of(operation)
    if (rows > 0) widen(bytesPerRow, bill.bytes / rows)
    if (ids > 0) widen(rowsPerId, rows / ids)
    if (bill.estimated || bill.tokens <= 0) return
    this.#billed.bytes += bill.bytes
    this.#billed.tokens += bill.tokens
  }

  /** Whether a bill has told the price of a token. */
  get isPriced(): boolean {
    return this.#billed.tokens > 0
  }

  /** Bytes that a token pays for. */
  #price(): number {
    const { bytes, tokens } = this.#billed
    return tokens === 0 || bytes === 0 ? bytesPerToken : bytes / tokens
  }

  /** Estimates that start from these and go their own way. */
  copy(): Estimates {
    const copy = new Estimates()
    for (const [name, { bytesPerRow, rowsPerId }] of this.#seen)
      copy.#seen.set(name, { bytesPerRow: { ...bytesPerRow }, rowsPerId: { ...rowsPerId } })
    Object.assign(copy.#billed, this.#billed)
    return copy
  }

  #of(operation: Operation): Seen {
    const name = nameOf(operation)
    let seen = this.#seen.get(name)
    if (!seen) {
      const rows = firstRows[name]
      seen = { bytesPerRow: guess(firstGuess(operation), 1.5), rowsPerId: guess(rows ?? 1, rows ? 2 : 1) }
      this.#seen.set(name, seen)
    }
    return seen
  }
}

/** Takes one more figure into a range. */
function widen(range: Range, figure: number): void {
  range.usual += weight * (figure - range.usual)
  range.least = Math.min(range.least, figure)
  range.most = Math.max(range.most, figure)
}
