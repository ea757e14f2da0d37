import { playerColumnsNotInRoster, sportColumns, statistics, tables } from '../specification/tables.ts'
import type { Columns, Kind } from '../specification/columns.ts'
import type { Bill } from '../money/bill.ts'
import { Prices } from '../money/price.ts'
import { formOf, idsOf, nameOf } from './operations.ts'
import type { Arguments, Operation } from './operations.ts'

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

/** Rows expected, and how many times fewer or more there may be. */
type Rows = readonly [rows: number, doubt: number]

/** A division may have a dozen teams or some four hundred. */
const teams: Rows = [100, 4]

/**
 * How many rows an operation answers with for each id, or each call where it takes none, by what it is asked by, before any answer was
 * seen. One row for each id where nothing is said here.
 */
const firstRows: Readonly<Record<string, Rows>> = {
  'game/getGames start_date': [30, 2],
  'game/getScores start_date': [30, 2],
  'game/getScores home_team_id season': [15, 2],
  'game/getScores away_team_id season': [15, 2],
  'game/read home_team_id season': [15, 2],
  'game/read away_team_id season': [15, 2],
  'odds/read game_id': [30, 10],
  'boxscore/readBoxscore game_id': [2, 2],
  'boxscore/readBoxscore season team_id': [30, 2],
  'player_boxscore/read game_id': [20, 2],
  'player_boxscore/read game_id team_id': [10, 2],
  'team/getPlayers season team_id': [15, 2],
  'player/getGameLogs player_id season': [30, 2],
  'player/getSeasons player_id': [4, 2],
  'elo/read season team_id': [30, 2],
  'elo/read team_id': [60, 2],
  'elo/read current season': teams,
  'elo/read season': [3000, 4],
  'conference/getConferencePrediction conference_id season': [12, 2],
  'cbb_transfer_player_season/read season': [500, 10],
}

const firstDownloads: Readonly<Record<string, Rows>> = {
  statistic_ranking: teams,
  coach_statistic_ranking: teams,
  player_statistic_ranking: [1000, 4],
  conference_statistic_ranking: [12, 3],
}

function rowsAtFirst(operation: Operation, form: string): Range {
  const known =
    operation.class === 'ranking'
      ? firstDownloads[operation.yields]
      : firstRows[`${nameOf(operation)} ${form}`]
  return guess(...(known ?? [1, 1]))
}

/** The least, the usual and the most of a figure. */
interface Range {
  least: number
  usual: number
  most: number
  /** The most that was seen, or the usual where that is more: what a budget has to bear. */
  safe: number
  /** How many figures it is made of, the guess among them. */
  figures: number
}

export type Level = 'least' | 'usual' | 'safe' | 'most'

/** How much of the usual figure each new answer is at least: the first weighs as much as the guess before it. */
const leastWeight = 0.2

const guess = (usual: number, doubt: number): Range => ({
  least: usual / doubt,
  usual,
  most: usual * doubt,
  safe: usual,
  figures: 1,
})

/** Bytes and rows that operations answer with to one key, and what they cost, learned from their answers. */
export class Estimates {
  readonly #bytesPerRow = new Map<string, Range>()
  readonly #rowsPerId = new Map<string, Range>()
  readonly #prices: Prices

  constructor(prices = new Prices()) {
    this.#prices = prices
  }

  bytesPerRow(operation: Operation, level: Level = 'usual'): number {
    return this.#bytesOf(operation)[level]
  }

  /** Rows for each id that the operation is asked by in that form, or for the whole call where it takes none. */
  rowsPerId(operation: Operation, form: string, level: Level = 'usual'): number {
    return this.#rowsOf(operation, form)[level]
  }

  bytes(operation: Operation, values: Arguments, level: Level = 'usual'): number {
    const rows = this.rowsPerId(operation, formOf(values), level) * idsOf(operation, values)
    return this.bytesPerRow(operation, level) * rows + 2
  }

  tokens(operation: Operation, values: Arguments, level: Level = 'usual'): number {
    return this.tokensFor(operation, this.bytes(operation, values, level))
  }

  /** Tokens that an answer of so many bytes costs. */
  tokensFor(operation: Operation, bytes: number): number {
    return this.#prices.tokens(nameOf(operation), bytes)
  }

  learn(operation: Operation, values: Arguments, rows: number, bill: Bill): void {
    if (rows > 0) widen(this.#bytesOf(operation), bill.bytes / rows)
    widen(this.#rowsOf(operation, formOf(values)), rows / idsOf(operation, values))
    if (bill.estimated || bill.tokens <= 0) return
    this.#prices.learn(nameOf(operation), bill.bytes, bill.tokens)
  }

  /** Whether an answer has told how many rows a call of this form brings. */
  isKnown(operation: Operation, values: Arguments): boolean {
    return this.#rowsOf(operation, formOf(values)).figures > 1
  }

  /** Estimates that start from these and go their own way. */
  copy(): Estimates {
    const copy = new Estimates(this.#prices.copy())
    for (const [name, range] of this.#bytesPerRow) copy.#bytesPerRow.set(name, { ...range })
    for (const [name, range] of this.#rowsPerId) copy.#rowsPerId.set(name, { ...range })
    return copy
  }

  #bytesOf(operation: Operation): Range {
    return known(this.#bytesPerRow, `${nameOf(operation)} ${operation.yields}`, () =>
      guess(firstGuess(operation), 1.5),
    )
  }

  #rowsOf(operation: Operation, form: string): Range {
    return known(this.#rowsPerId, `${nameOf(operation)} ${operation.yields} ${form}`, () =>
      rowsAtFirst(operation, form),
    )
  }
}

function known(ranges: Map<string, Range>, name: string, first: () => Range): Range {
  let range = ranges.get(name)
  if (!range) ranges.set(name, (range = first()))
  return range
}

/** Takes one more figure into a range. */
function widen(range: Range, figure: number): void {
  range.figures += 1
  range.usual += Math.max(leastWeight, 1 / range.figures) * (figure - range.usual)
  range.safe = Math.max(range.figures > 2 ? range.safe : figure, figure, range.usual)
  range.least = Math.min(range.least, figure)
  range.most = Math.max(range.most, figure)
}
