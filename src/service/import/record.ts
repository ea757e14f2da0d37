import { ImportFailed } from './failure.ts'

/** One row of a source file: its cells by column, and where it stands, for whoever must complain. */
export class SourceRow<C extends string> {
  private readonly cells: readonly string[]
  private readonly positions: ReadonlyMap<C, number>
  private readonly place: string

  constructor(cells: readonly string[], positions: ReadonlyMap<C, number>, place: string) {
    this.cells = cells
    this.positions = positions
    this.place = place
  }

  /** The cell without surrounding space; empty where the source has nothing. */
  text(column: C): string {
    const position = this.positions.get(column)
    return position === undefined ? '' : (this.cells[position] ?? '').trim()
  }

  /** @throws {ImportFailed} where the cell is empty */
  required(column: C): string {
    const text = this.text(column)
    if (text === '') throw this.fault(column, 'is empty')
    return text
  }

  /** Null where the cell is empty or a dash. @throws {ImportFailed} where it is no number */
  number(column: C): number | null {
    const text = this.text(column)
    if (text === '' || /^-+$/.test(text)) return null
    const number = Number(text)
    if (!Number.isFinite(number)) throw this.fault(column, `is not a number: ${excerpt(text)}`)
    return number
  }

  /** Two numbers in one cell, made and tried, whichever sign stands between them: `7-12`, `16/22`. */
  pair(column: C): [number | null, number | null] {
    const text = this.text(column)
    if (text === '') return [null, null]
    const match = /^(-?\d+)[-/](-?\d+)$/.exec(text)
    if (!match) throw this.fault(column, `is not a pair of numbers: ${excerpt(text)}`)
    return [Number(match[1]), Number(match[2])]
  }

  fault(column: C, what: string): ImportFailed {
    return new ImportFailed(`${this.place}: ${column} ${what}`)
  }
}

const excerpt = (text: string) => JSON.stringify(text.slice(0, 40))
