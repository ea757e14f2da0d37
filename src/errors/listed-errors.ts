import { BadUserInputError } from './errors.ts'

/** The most errors that an answer lists. */
const most = 100

/**
 * The errors of the items of one list. Each takes as long as many values, because it captures a stack, and an answer
 * lists only the first ones: all items after those share the last one.
 */
export class ListedErrors {
  #count = 0
  #last: Promise<never> | null = null

  /** The item's value: a promise that is rejected. The message is that of the error. */
  of(messageOf: () => string): Promise<never> {
    if (this.#last && this.#count >= most) return this.#last
    this.#count += 1
    return (this.#last = Promise.reject(new BadUserInputError(messageOf())))
  }
}
