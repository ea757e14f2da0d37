import type { Arguments, Operation } from '../specification/operation.ts'
import { formOf, idsOf } from '../specification/operation.ts'
import type { Estimates, Level } from './estimates.ts'

/**
 * Rows that are made up in one turn of the event loop, with those that are nested in them. A call counts as some,
 * however few it brings.
 */
const rowsOfTurn = 500
const rowsOfCall = 10

/** Rows that are nested in one row. */
const nestedRows = { teams: 2, game: 3, lines: 3 }

/** The calls and rows that a dry run is limited to. */
export interface WorkLimits {
  readonly calls: number
  readonly rows: number
}

/** A call that waits for its turn. */
interface WaitingCall {
  readonly rows: number
  readonly work: number
  readonly resolve: (mayBegin: boolean) => void
}

/**
 * Bounds the work of a dry run and lets other requests run in between. The run is cut off when it plans more calls,
 * or makes a call after more rows. What it would do then never ends.
 */
export class DryWork {
  /** Resolves when all that the run may do is done, if it was cut off. */
  readonly cutOff: Promise<void>
  readonly #level: Level
  readonly #limits: WorkLimits
  #end = () => {}
  #planned = 0
  #answered = 0
  #rows = 0
  #workOfTurn = 0
  #waiting: WaitingCall[] = []
  #isCutOff = false

  /** `level`: how many rows each answer has. */
  constructor(level: Level, limits: WorkLimits) {
    this.#level = level
    this.#limits = limits
    this.cutOff = new Promise((resolve) => (this.#end = resolve))
  }

  get isCutOff(): boolean {
    return this.#isCutOff
  }

  /** Whether one more call may be planned. */
  plan(): boolean {
    if (this.#planned < this.#limits.calls) this.#planned += 1
    else this.#cut()
    return !this.#isCutOff
  }

  /**
   * Resolves in the turn of the event loop in which a planned call is made, with whether it may be. All that a call does
   * from then on is done in this turn.
   */
  async begin(operation: Operation, values: Arguments, estimates: Estimates): Promise<boolean> {
    const rows = estimates.rowsPerId(operation, formOf(values), this.#level) * idsOf(operation, values)
    const nested = operation.nests ? nestedRows[operation.nests] : 0
    const call = { rows, work: rows * (1 + nested) + rowsOfCall }
    if (this.#waiting.length === 0 && this.#workOfTurn < rowsOfTurn) return this.#count(call)
    return new Promise((resolve) => {
      if (this.#waiting.push({ ...call, resolve }) === 1) setImmediate(() => this.#takeTurn())
    })
  }

  #takeTurn(): void {
    this.#workOfTurn = 0
    let nth = 0
    for (; nth < this.#waiting.length && this.#workOfTurn < rowsOfTurn; nth += 1) {
      const call = this.#waiting[nth]
      call?.resolve(this.#count(call))
    }
    this.#waiting = this.#waiting.slice(nth)
    if (this.#waiting.length > 0) setImmediate(() => this.#takeTurn())
  }

  #count({ rows, work }: Pick<WaitingCall, 'rows' | 'work'>): boolean {
    this.#workOfTurn += work
    if (this.#rows > this.#limits.rows) {
      this.#isCutOff = true
      this.#end()
      return false
    }
    this.#rows += rows
    return true
  }

  /** Counts a call that was answered and billed. */
  countAnswer(): void {
    this.#answered += 1
    if (this.#isCutOff) this.#cut()
  }

  /** Cuts the run off. The calls that were planned before are still answered. */
  #cut(): void {
    this.#isCutOff = true
    if (this.#answered === this.#planned) this.#end()
  }
}
