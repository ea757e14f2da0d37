/**
 * A source that cannot be imported. Each line of the message names the file and one thing that is wrong with
 * it.
 */
export class ImportFailed extends Error {
  readonly code = 'IMPORT_FAILED'
}

/** A fault in one row: the rows after it can still be checked. */
export class RowFault extends ImportFailed {}

/** Maximum faults that are reported together. A file that is wrong throughout needs no more. */
const mostTold = 20

/** The faults of one file's rows. */
export class RowFaults {
  readonly #file: string
  readonly #lines: string[] = []

  constructor(file: string) {
    this.#file = file
  }

  /** Handles a row, and records its fault. Throws ImportFailed if there are too many. */
  watch(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      this.#lines.push(error.message)
      if (this.#lines.length === mostTold) this.#fail(`${this.#file}: reading ended after ${mostTold} faults`)
    }
  }

  /** Throws ImportFailed with all faults, if there are any. */
  check(): void {
    if (this.#lines.length > 0) this.#fail()
  }

  #fail(...last: string[]): never {
    throw new ImportFailed([...this.#lines, ...last].join('\n'))
  }
}
