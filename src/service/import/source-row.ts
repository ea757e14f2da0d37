import { RowFault } from './faults.ts'
import { momentOf } from './moment.ts'
import type { Moment } from './moment.ts'

/** What sources write for a missing value. */
const absent = new Set(['NA', 'N/A', 'NaN', 'NULL', 'null', 'None'])

/** Stands in a text for bytes that are not UTF-8. */
const undecodable = '\ufffd'

const truths = /^(true|t|yes|y|1(\.0+)?)$/i
const falsehoods = /^(false|f|no|n|0(\.0+)?)$/i

/** More points than any side has ever scored in these sports. */
const mostPoints = 250

/** More than any number of these sports, and little enough for sums over all seasons. */
const mostOfAny = 1_000_000

/** More than any place holds. */
export const mostAttendance = 500_000

/** More games than any season has. */
export const mostGames = 400

/**
 * One row of a source file: cells by column, each checked when it is read, and the row’s position for errors.
 */
export class SourceRow<C extends string> {
  private readonly cells: readonly string[]
  private readonly positions: ReadonlyMap<C, number>
  private readonly place: string

  constructor(cells: readonly string[], positions: ReadonlyMap<C, number>, place: string) {
    this.cells = cells
    this.positions = positions
    this.place = place
  }

  /** The trimmed cell; empty for a missing value. @throws {RowFault} if it is not UTF-8 */
  text(column: C): string {
    const position = this.positions.get(column)
    const text = position === undefined ? '' : (this.cells[position] ?? '').trim()
    if (text.includes(undecodable)) throw this.fault(column, `is not UTF-8: ${excerpt(text)}`)
    return absent.has(text) ? '' : text
  }

  /** @throws {RowFault} if the cell is empty */
  required(column: C): string {
    const text = this.text(column)
    if (text === '') throw this.fault(column, 'is empty')
    return text
  }

  /** Null for an empty cell or a dash. @throws {RowFault} if it is not a number, or more than a million */
  number(column: C): number | null {
    const text = this.text(column)
    if (text === '' || /^-+$/.test(text)) return null
    const number = Number(text)
    if (!Number.isFinite(number)) throw this.fault(column, `is not a number: ${excerpt(text)}`)
    if (Math.abs(number) > mostOfAny) throw this.fault(column, `is too large: ${excerpt(text)}`)
    return number
  }

  /** A count; null for an empty cell or a dash. @throws {RowFault} unless whole and 0 to `most` */
  count(column: C, most: number): number | null {
    const count = this.number(column)
    if (count === null || (Number.isInteger(count) && count >= 0 && count <= most)) return count
    throw this.fault(column, `is not a whole number from 0 to ${most}: ${excerpt(this.text(column))}`)
  }

  /** Points of one side; null for an empty cell. @throws {RowFault} unless whole and 0 to 250 */
  score(column: C): number | null {
    const score = this.number(column)
    if (score === null || (Number.isInteger(score) && score >= 0 && score <= mostPoints)) return score
    throw this.fault(column, `is not a score from 0 to ${mostPoints}: ${excerpt(this.text(column))}`)
  }

  /** True or false in any spelling; null for an empty cell. @throws {RowFault} if it is neither */
  flag(column: C): boolean | null {
    const text = this.text(column)
    if (text === '') return null
    if (truths.test(text)) return true
    if (falsehoods.test(text)) return false
    throw this.fault(column, `is neither true nor false: ${excerpt(text)}`)
  }

  /** A year. @throws {RowFault} if it is none */
  year(column: C): number {
    const year = Number(this.required(column))
    if (Number.isInteger(year) && year >= 1850 && year <= 2200) return year
    throw this.fault(column, `is not a year: ${excerpt(this.text(column))}`)
  }

  /** A day, with its time if the source has one. @throws {RowFault} if the calendar has no such day */
  moment(column: C): Moment {
    const moment = momentOf(this.required(column))
    if (moment) return moment
    throw this.fault(column, `is not a day: ${excerpt(this.text(column))}`)
  }

  /** A time, at midnight (UTC) of a day without one; empty for a missing value. @throws {RowFault} as `moment` */
  time(column: C): string {
    if (this.text(column) === '') return ''
    const { day, start } = this.moment(column)
    return start ?? `${day}T00:00:00.000Z`
  }

  /** Two numbers in one cell, made and attempted, with any separator: `7-12`, `16/22`. */
  pair(column: C): [number | null, number | null] {
    const text = this.text(column)
    if (text === '') return [null, null]
    const match = /^(-?\d{1,4})[-/](-?\d{1,4})$/.exec(text)
    if (!match) throw this.fault(column, `is not a pair of numbers: ${excerpt(text)}`)
    return [Number(match[1]), Number(match[2])]
  }

  fault(column: C, what: string): RowFault {
    return new RowFault(`${this.place}: ${column} ${what}`)
  }
}

export const excerpt = (text: string) => JSON.stringify(text.slice(0, 40))
