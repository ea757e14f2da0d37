/** Adds a call to the queue of a request. */
type Enqueue = (request: object) => void

/** The requests that wait for a call. While it is queued, it is sent in the first turn of any of them. */
export class Waiters {
  readonly #requests: Set<object>
  readonly #queued = new Set<Enqueue>()

  constructor(requests: Iterable<object>) {
    this.#requests = new Set(requests)
  }

  add(request: object): void {
    if (this.#requests.has(request)) return
    this.#requests.add(request)
    for (const enqueue of this.#queued) enqueue(request)
  }

  /** Calls `enqueue` for each request, and for those that are added until `leave`. */
  queue(enqueue: Enqueue): void {
    for (const request of this.#requests) enqueue(request)
    this.#queued.add(enqueue)
  }

  leave(enqueue: Enqueue): void {
    this.#queued.delete(enqueue)
  }
}
