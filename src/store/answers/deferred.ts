import { setTimeout } from 'node:timers'

/** How long a task waits, in milliseconds. Usually the answer to the client is sent meanwhile. */
const wait = 10

/** Tasks that are done in one turn of the event loop. Each takes about 0.1 ms. */
const atOnce = 8

/** Does what no query waits for some milliseconds later, and a few tasks at a time. */
export class Deferred {
  #tasks: (() => void)[] = []
  #isScheduled = false

  add(task: () => void): void {
    this.#tasks.push(task)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => this.#next(), wait)
  }

  /** Does all tasks now. */
  flush(): void {
    const tasks = this.#tasks
    this.#tasks = []
    for (const task of tasks) task()
  }

  #next(): void {
    for (const task of this.#tasks.splice(0, atOnce)) task()
    this.#isScheduled = this.#tasks.length > 0
    if (this.#isScheduled) setImmediate(() => this.#next())
  }
}
