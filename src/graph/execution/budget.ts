import { CodedError } from '../../errors/errors.ts'

/** The most that one execution may use, by the names of the variables that set it. */
export interface ExecutionLimits {
  /** Values of the answer: fields and items of lists, each as often as it is printed. */
  readonly MAX_VALUES: number
  /** Items of a list in one argument, such as ids. */
  readonly MAX_IDS: number
  /** Bytes of the answer as JSON. */
  readonly MAX_ANSWER_BYTES: number
  /** Milliseconds of CPU for executing and printing. */
  readonly MAX_EXECUTION_MS: number
}

export const defaultExecutionLimits: ExecutionLimits = {
  MAX_VALUES: 500_000,
  MAX_IDS: 2_000,
  MAX_ANSWER_BYTES: 16_777_216,
  MAX_EXECUTION_MS: 1_500,
}

export type LimitName = keyof ExecutionLimits

/** An execution needs more than a limit allows. */
export class OverLimitError extends CodedError {
  readonly code = 'QUERY_TOO_EXPENSIVE'
  readonly limit: LimitName
  readonly most: number

  constructor(limit: LimitName, most: number, message: string) {
    super(`${message} ${limit} is ${most}. Select less, or ask in several requests.`)
    this.limit = limit
    this.most = most
  }

  override get details(): object {
    return { limit: this.limit, most: this.most }
  }
}

/**
 * Values that take as much memory as what is asked for with others, as what is waited for alone, such as a row that is
 * read by its id, and as a field of a plan with its lists.
 */
export const [valuesOfAsk, valuesOfPromise, valuesOfPlan] = [10, 100, 10]

/** Milliseconds after which an execution gives way to others. */
export const sliceMs = 10

/** What measures an execution's work. */
export interface Clocks {
  /** Milliseconds that have passed. */
  readonly wall: () => number
  /** Milliseconds that this process has worked. */
  readonly cpu: () => number
  /** Values in whose time a clock is not read: reading it takes as long as some of them. */
  readonly values: number
}

const realClocks: Clocks = {
  values: 500,
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
}

/** What one execution has used of its limits. Throws an OverLimitError where a limit is exceeded. */
export class ExecutionBudget {
  readonly limits: ExecutionLimits
  /** Errors that an answer lists. */
  readonly mostErrors: number
  readonly #clocks: Clocks
  #values = 0
  #ms = 0
  /** When the slice began. */
  #wallFrom = 0
  /** Null in a first slice, which most executions end within: the clock takes longer than a short one. */
  #cpuFrom: number | null = null
  /** What was done since the clock was read. */
  #done = 0

  constructor(limits: ExecutionLimits = defaultExecutionLimits, mostErrors = 100, clocks = realClocks) {
    this.limits = limits
    this.mostErrors = mostErrors
    this.#clocks = clocks
  }

  /** Values that were counted since the start. */
  get values(): number {
    return this.#values
  }

  /** The same limits for another execution of the same request. */
  again(): ExecutionBudget {
    return new ExecutionBudget(this.limits, this.mostErrors, this.#clocks)
  }

  /** Starts again, for a subscription's next event. */
  renew(): void {
    this.#values = 0
    this.#ms = 0
  }

  /** Begins a slice of work. `isFirst`: nothing was put off before it. */
  beginSlice(isFirst: boolean): void {
    this.#wallFrom = this.#clocks.wall()
    this.#cpuFrom = isFirst ? null : this.#clocks.cpu()
    this.#done = 0
  }

  /** Whether the work of about so many values ends the slice. It is then counted. */
  isSliceOver(values: number): boolean {
    this.#done += values
    if (this.#done < this.#clocks.values) return false
    this.#done = 0
    if (this.#clocks.wall() - this.#wallFrom < sliceMs) return false
    this.endSlice()
    return true
  }

  /** Counts the time of a slice. Other processes and threads may have had a part of it. */
  endSlice(): void {
    const wall = this.#clocks.wall() - this.#wallFrom
    this.#ms += Math.min(wall, this.#cpuFrom === null ? sliceMs : this.#clocks.cpu() - this.#cpuFrom)
    if (this.#ms > this.limits.MAX_EXECUTION_MS)
      throw this.#over('MAX_EXECUTION_MS', 'The query takes too much time of the processor.')
  }

  countValues(count: number): void {
    this.#values += count
    this.checkValues(this.#values)
  }

  checkValues(values: number): void {
    if (values > this.limits.MAX_VALUES)
      throw this.#over('MAX_VALUES', 'The answer would have too many values.')
  }

  /** The error of an answer with more bytes than `MAX_ANSWER_BYTES`. */
  get tooLong(): OverLimitError {
    return this.#over('MAX_ANSWER_BYTES', 'The answer would have too many bytes.')
  }

  /** Checks the lengths of lists in a field's arguments. */
  checkLists(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values))
      if (Array.isArray(value) && value.length > this.limits.MAX_IDS)
        throw this.#over('MAX_IDS', `\`${name}\` has ${value.length} items, which are too many.`)
  }

  #over(limit: LimitName, message: string): OverLimitError {
    return new OverLimitError(limit, this.limits[limit], message)
  }
}
