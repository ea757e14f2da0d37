/** A batch as it was sent. */
interface Sent {
  readonly number: number
  readonly text: string
}

/** Characters that are kept: at a hundred calls a second, the batches of some minutes. */
const mostKept = 8_388_608

/** The last batches that Redis has confirmed. They are sent again where it comes back with an older state. */
export class Confirmed {
  readonly #most: number
  #sent: Sent[] = []
  #size = 0
  /** The number of the last batch that was confirmed. */
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

  /** What was confirmed after a batch, in order. */
  after(number: number): readonly Sent[] {
    return this.#sent.filter((one) => one.number > number)
  }

  /** Drops the oldest half, so that not every batch moves all others. */
  #shrink(): void {
    this.#sent = this.#sent.slice(Math.ceil(this.#sent.length / 2))
    this.#size = this.#sent.reduce((sum, { text }) => sum + text.length, 0)
  }
}
