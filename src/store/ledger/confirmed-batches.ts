/** A batch in the form of the script: its changes, and their reservations. */
export interface SentBatch {
  readonly number: number
  readonly values: readonly string[]
}

/** Maximum characters kept. At a hundred calls a second these are some minutes of batches. */
const mostKept = 8_388_608

const sizeOf = ({ values }: SentBatch) => values.reduce((sum, { length }) => sum + length, 0)

/** The last batches that were sent to Redis. They are sent again if Redis comes back with an older state. */
export class ConfirmedBatches {
  readonly #most: number
  readonly #sent = new Map<number, SentBatch>()
  #size = 0
  /** The number of the last confirmed batch. */
  newest = 0

  constructor(most = mostKept) {
    this.#most = most
  }

  /** Redis has the batch. */
  add(batch: SentBatch): void {
    this.newest = Math.max(this.newest, batch.number)
    this.keep(batch)
  }

  /** Redis may have the batch: its reply was lost. */
  keep(batch: SentBatch): void {
    if (this.#sent.has(batch.number)) return
    this.#sent.set(batch.number, batch)
    this.#size += sizeOf(batch)
    for (const [number, oldest] of this.#sent) {
      if (this.#size <= this.#most || this.#sent.size === 1) break
      this.#sent.delete(number)
      this.#size -= sizeOf(oldest)
    }
  }

  /** The batches after `number`, in their order. One whose first reply was lost was confirmed after later ones. */
  after(number: number): readonly SentBatch[] {
    return [...this.#sent.values()]
      .filter((one) => one.number > number)
      .toSorted((one, other) => one.number - other.number)
  }
}
