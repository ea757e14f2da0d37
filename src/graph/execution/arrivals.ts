import type { ObjectBranch } from '../../loading/ask.ts'
import { handled } from '../../loading/maybe-promise.ts'
import type { FieldPlan } from './compile.ts'
import { passOver } from './complete.ts'
import type { Pass } from './complete.ts'
import type { Group } from './group.ts'

/** A value of a field of one object, or of an item of its list, that came later; or the error instead. */
interface Arrived {
  readonly index: number
  readonly position: number | null
  readonly value?: unknown
  readonly error?: unknown
}

export type Arrive = (arrived: readonly Arrived[]) => void

/** Values of one field that arrived in the same turn of the event loop. */
export interface Arrival {
  readonly pass: Pass
  readonly arrived: readonly Arrived[]
  /** The next one to complete. */
  at: number
}

/** The values that an execution waits for, and those that have come and are to be completed. */
export class Arrivals {
  /** Expected values that are not completed. */
  awaited = 0
  #queue: Arrival[] = []
  #isOver = false
  readonly #begin: () => void
  readonly #fail: (error: unknown) => void

  /** Calls `begin` when there is something to complete, and `fail` if the loading of objects throws. */
  constructor(begin: () => void, fail: (error: unknown) => void) {
    this.#begin = begin
    this.#fail = fail
  }

  get next(): Arrival | undefined {
    return this.#queue[0]
  }

  /** Takes at most `most` values of the next arrival, which leaves the queue with its last one. */
  take(arrival: Arrival, most: number): readonly Arrived[] {
    const part = arrival.arrived.slice(arrival.at, arrival.at + most)
    arrival.at += part.length
    this.awaited -= part.length
    if (arrival.at === arrival.arrived.length) this.#queue.shift()
    return part
  }

  /** Nothing that comes from now on is completed. */
  end(): void {
    this.#isOver = true
    this.#queue = []
  }

  /** Expects the promises among a field's values. */
  wait(pass: Pass): void {
    const arrive = this.of(pass.group, pass.field)
    this.awaited += pass.waiting.length
    for (const { index, position, value } of pass.waiting)
      value.then(
        (come) => arrive([{ index, position, value: come }]),
        (error: unknown) => arrive([{ index, position, error }]),
      )
    pass.waiting.length = 0
  }

  /** Passes on the values of each branch when they come. `nth` is an index into the parents asked for. */
  follow(
    branches: Promise<readonly ObjectBranch<unknown>[]>,
    come: (nth: number, value: unknown) => void,
  ): void {
    const wait = async ({ indices, values }: ObjectBranch<unknown>): Promise<void> => {
      try {
        const those = await values
        indices.forEach((nth, at) => come(nth, those[at]))
      } catch (error) {
        this.#fail(error)
      }
    }
    branches.then((several) => several.map(wait)).catch((error: unknown) => this.#fail(error))
  }

  /** Collects the values of a field that arrive in one turn, so that they are completed together. */
  of(group: Group, field: FieldPlan): Arrive {
    let arrived: Arrived[] = []
    return (those) => {
      const isFirst = arrived.length === 0
      for (const one of those) {
        arrived.push(one)
        // It is waited for when its step comes, and may fail before.
        if (one.value instanceof Promise) handled(one.value)
      }
      if (!isFirst) return
      // Runs after all promises that have settled by now.
      process.nextTick(() => {
        const all = arrived
        arrived = []
        if (this.#isOver) return
        const count = this.#queue.push({ pass: passOver(group, field), arrived: all, at: 0 })
        // One slice for all that arrives in this turn: each would have 10 ms of its own.
        if (count === 1) this.#begin()
      })
    }
  }
}
