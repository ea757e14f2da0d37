/** A sent batch. */
interface Sent {
  readonly number: number
  readonly text: string
}

/** Maximum characters kept. At a hundred calls a second these are some minutes of batches. */
const mostKept = 8_388_608

/** The last batches that Redis has confirmed. They are sent again if Redis comes back with an older state. */
export class ConfirmedBatches {
  readonly #most: number
  #sent: Sent[] = []
  #size = 0
  /** The number of the last confirmed batch. */
  newest = 0

  constructor(most = mostKept) {
    this.#most = most
  }

  add(number: number, text: string): void {
    this.newest = Math.max(this.newest, number)
    this.#sent.push({ number, text })
    this.#size += text.length
    if (this.#size > this.#most) this.#shrink()
  }

  /** The batches confirmed after `number`, in order. */
  after(number: number): readonly Sent[] {
    return this.#sent.filter((one) => one.number > number)
  }

  /** Drops the oldest half at once, because dropping single batches would move all others each time. */
  #shrink(): void {
    this.#sent = this.#sent.slice(Math.ceil(this.#sent.length / 2))
    this.#size = this.#sent.reduce((sum, { text }) => sum + text.length, 0)
  }
}
