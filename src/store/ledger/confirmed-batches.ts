/** A batch in the form of the script: its changes, and their reservations. */
export interface SentBatch {
  readonly number: number
  readonly values: readonly string[]
}

/** Maximum characters kept. At a hundred calls a second these are some minutes of batches. */
const mostKept = 8_388_608

const sizeOf = ({ values }: SentBatch) => values.reduce((sum, { length }) => sum + length, 0)

/** The last batches that Redis has confirmed. They are sent again if Redis comes back with an older state. */
export class ConfirmedBatches {
  readonly #most: number
  #sent: SentBatch[] = []
  #size = 0
  /** The number of the last confirmed batch. */
  newest = 0

  constructor(most = mostKept) {
    this.#most = most
  }

  add(batch: SentBatch): void {
    this.newest = Math.max(this.newest, batch.number)
    this.#sent.push(batch)
    this.#size += sizeOf(batch)
    if (this.#size > this.#most) this.#shrink()
  }

  /** The batches after `number`, in their order. One whose first reply was lost was confirmed after later ones. */
  after(number: number): readonly SentBatch[] {
    return this.#sent.filter((one) => one.number > number).toSorted((one, other) => one.number - other.number)
  }

  /** Drops the oldest half at once, because dropping single batches would move all others each time. */
  #shrink(): void {
    this.#sent = this.#sent.slice(Math.ceil(this.#sent.length / 2))
    this.#size = this.#sent.reduce((sum, batch) => sum + sizeOf(batch), 0)
  }
}
