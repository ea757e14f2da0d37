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

interface Seen {
  bytesPerRow: number
  rowsPerId: number
}

/** How much of an estimate each new answer is. */
const weight = 0.2

/** Bytes and rows that an operation answers with, learned from its answers. */
export class Estimates {
  readonly #seen = new Map<string, Seen>()
  #bytesPerToken = bytesPerToken

  bytesPerRow(operation: Operation): number {
    return this.#of(operation).bytesPerRow
  }

  /** Rows for each id of the operation's batch argument, or for the whole call where it takes none. */
  rowsPerId(operation: Operation): number {
    return this.#of(operation).rowsPerId
  }

  bytes(operation: Operation, ids: number): number {
    return this.bytesPerRow(operation) * this.rowsPerId(operation) * ids + 2
  }

  tokens(operation: Operation, ids: number): number {
    return Math.max(1, Math.ceil(this.bytes(operation, ids) / this.#bytesPerToken))
  }

  learn(operation: Operation, ids: number, rows: number, bill: Bill): void {
    const seen = this.#of(operation)
    if (rows > 0) seen.bytesPerRow += weight * (bill.bytes / rows - seen.bytesPerRow)
    if (ids > 0) seen.rowsPerId += weight * (rows / ids - seen.rowsPerId)
    if (!bill.estimated && bill.tokens > 1)
      this.#bytesPerToken += weight * (bill.bytes / bill.tokens - this.#bytesPerToken)
  }

  #of(operation: Operation): Seen {
    const name = nameOf(operation)
    let seen = this.#seen.get(name)
    if (!seen) {
      seen = { bytesPerRow: firstGuess(operation), rowsPerId: firstRows[name] ?? 1 }
      this.#seen.set(name, seen)
    }
    return seen
  }
}
