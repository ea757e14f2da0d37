/**
 * Holds back what a request asks for while its executions have work to do. They give way to others, and a batch that
 * was sent meanwhile would lack what they ask for later: the bill would depend on the speed of the machine.
 */
export class HeldAsks {
  #holding = 0
  #waiting: (() => void)[] = []

  hold(): void {
    this.#holding += 1
  }

  release(): void {
    this.#holding -= 1
    if (this.#holding > 0) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }

  /** What `ask` returns, now or when nothing holds it back. */
  whenReleased<V>(ask: () => V | Promise<V>): V | Promise<V> {
    if (this.#holding === 0) return ask()
    return new Promise((resolve) => this.#waiting.push(() => resolve(ask())))
  }
}
