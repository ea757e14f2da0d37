import { setImmediate as nextTurn } from 'node:timers/promises'

/** Rows that are made up in one turn of the event loop. A call counts as some, however few it brings. */
const rowsOfTurn = 500
const rowsOfCall = 10

/** The calls and rows that a dry run is limited to. */
export interface WorkLimits {
  readonly calls: number
  readonly rows: number
}

/**
 * Bounds the work of a dry run and lets other requests run in between. The run is cut off when it plans more calls,
 * or makes a call after more rows. What it would do then never ends.
 */
export class DryWork {
  /** Resolves when all that the run may do is done, if it was cut off. */
  readonly cutOff: Promise<void>
  readonly #limits: WorkLimits
  #end = () => {}
  #planned = 0
  #answered = 0
  #rows = 0
  #rowsOfTurn = 0
  #turn: Promise<void> | null = null
  #isCutOff = false

  constructor(limits: WorkLimits) {
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

  /** Whether a planned call may be made. */
  begin(): boolean {
    if (this.#rows <= this.#limits.rows) return true
    this.#isCutOff = true
    this.#end()
    return false
  }

  /** Counts rows before they are made up, and puts them off to a later turn of the event loop if need be. */
  async countRows(count: number): Promise<void> {
    while (this.#turn) await this.#turn
    this.#rows += count
    this.#rowsOfTurn += count + rowsOfCall
    if (this.#rowsOfTurn < rowsOfTurn) return
    this.#rowsOfTurn = 0
    this.#turn = nextTurn()
    await this.#turn
    this.#turn = null
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
