import { CodedError } from '../../upstream/errors.ts'

/** The most that one execution may use, by the names of the variables that set it. */
export interface ExecutionLimits {
  /** Values of the answer: fields and items of lists, each as often as it is printed. */
  readonly MAX_VALUES: number
  /** Items of a list in one argument, such as ids. */
  readonly MAX_IDS: number
  /** Bytes of the answer as JSON. */
  readonly MAX_ANSWER_BYTES: number
}

export const defaultExecutionLimits: ExecutionLimits = {
  MAX_VALUES: 500_000,
  MAX_IDS: 2_000,
  MAX_ANSWER_BYTES: 16_777_216,
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

/** What one execution has used of its limits. Throws an OverLimitError where a limit is exceeded. */
export class ExecutionBudget {
  readonly limits: ExecutionLimits
  /** Errors that an answer lists. */
  readonly mostErrors: number
  #values = 0
  #bytes = 0

  constructor(limits: ExecutionLimits = defaultExecutionLimits, mostErrors = 100) {
    this.limits = limits
    this.mostErrors = mostErrors
  }

  /** Values that were counted since the start. */
  get values(): number {
    return this.#values
  }

  /** The same limits for another execution of the same request. */
  again(): ExecutionBudget {
    return new ExecutionBudget(this.limits, this.mostErrors)
  }

  /** Starts again, for a subscription's next event. */
  renew(): void {
    this.#values = 0
    this.#bytes = 0
  }

  countValues(count: number): void {
    this.#values += count
    if (this.#values > this.limits.MAX_VALUES)
      throw this.#over('MAX_VALUES', 'The answer would have too many values.')
  }

  /** Counts bytes of what is written beside the data. */
  countBytes(count: number): void {
    this.#bytes += count
    if (this.#bytes > this.limits.MAX_ANSWER_BYTES) throw this.tooLong
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
