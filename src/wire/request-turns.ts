/** A call that waits for its turn. */
export interface Queued {
  /** Whether it may run in parallel with others of its operation. */
  readonly mayJoin: () => boolean
  /** Starts it, or fails it; null when it waits no more. */
  start: (() => void) | null
}

/** The calls that wait for the sake of one request, in the order in which they were added. */
interface Queue {
  readonly request: object
  readonly calls: List<Queued>
}

/**
 * Calls that wait, of requests that take turns: each one's next call is taken before any one's second. A call
 * that several requests need waits in the queue of each. Every step takes constant time.
 */
export class Turns {
  /** The queue whose turn is next is the first. */
  readonly #queues = new List<Queue>()
  readonly #byRequest = new Map<object, Queue>()

  add(request: object, call: Queued): void {
    let queue = this.#byRequest.get(request)
    if (!queue) {
      queue = { request, calls: new List() }
      this.#byRequest.set(request, queue)
      this.#queues.push(queue)
    }
    queue.calls.push(call)
  }

  /** The call whose turn is next. Calls that wait no more are dropped. */
  get next(): Queued | undefined {
    for (let queue = this.#queues.first; queue; queue = this.#queues.first) {
      while (queue.calls.first?.start === null) queue.calls.shift()
      if (queue.calls.first) return queue.calls.first
      this.#queues.shift()
      this.#byRequest.delete(queue.request)
    }
    return undefined
  }

  /** Ends the turn of the request whose call is next. */
  pass(): void {
    const queue = this.#queues.shift()
    if (queue) this.#queues.push(queue)
  }
}

interface Link<T> {
  readonly value: T
  next: Link<T> | null
}

/** A list that is added to at its end and taken from at its beginning. */
class List<T> {
  #first: Link<T> | null = null
  #last: Link<T> | null = null

  get first(): T | undefined {
    return this.#first?.value
  }

  push(value: T): void {
    const link = { value, next: null }
    if (this.#last) this.#last.next = link
    else this.#first = link
    this.#last = link
  }

  shift(): T | undefined {
    const value = this.#first?.value
    this.#first = this.#first?.next ?? null
    if (!this.#first) this.#last = null
    return value
  }
}
