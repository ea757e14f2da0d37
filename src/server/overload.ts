import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'

/** Later answers help nobody: by then a client has asked again. */
export const defaultLongestWaitMs = 5_000

/** Milliseconds between two measurements of the cost of an answer. */
const windowMs = 250

/** Above this share of busy time, more requests mean later answers. */
const busy = 0.9

/** How long a refused client should wait, in seconds. */
const retryAfter = '1'

/** Milliseconds that the process has worked and rested. */
export interface Worked {
  readonly active: number
  readonly idle: number
}

/**
 * Predicts how late an answer would be: the number of running requests times the recent work for one answer.
 * Requests that wait for the service cost no work, so a slow service alone causes no refusals.
 */
export class Workload {
  readonly #measure: () => Worked
  #last: Worked
  #answered = 0
  #underway = 0
  #msPerAnswer = 0
  #isBusy = false

  constructor(measure: () => Worked = () => performance.eventLoopUtilization()) {
    this.#measure = measure
    this.#last = measure()
  }

  /** Milliseconds until a new request would be answered; 0 while the process has time left. */
  get waitMs(): number {
    this.#update()
    return this.#isBusy ? this.#underway * this.#msPerAnswer : 0
  }

  begin(): void {
    this.#underway += 1
  }

  end(): void {
    this.#underway -= 1
    this.#answered += 1
  }

  #update(): void {
    const now = this.#measure()
    const active = now.active - this.#last.active
    const all = active + now.idle - this.#last.idle
    if (all < windowMs) return
    this.#isBusy = active / all >= busy
    if (this.#answered > 0) this.#msPerAnswer = active / this.#answered
    this.#answered = 0
    this.#last = now
  }
}

const refusal = JSON.stringify({
  errors: [{ message: 'The server is overloaded. Try again.', extensions: { code: 'OVERLOADED' } }],
})

/**
 * Refuses queries that would be answered too late with status 503, before they cost anything. Streams of
 * events are not counted.
 */
export function withShedding(
  listener: RequestListener,
  longestWaitMs: number,
  onShed: () => void,
  workload = new Workload(),
): RequestListener {
  const end = () => workload.end()
  return (request, response) => {
    if (!isQuery(request)) return listener(request, response)
    if (workload.waitMs > longestWaitMs) {
      onShed()
      return refuse(request, response)
    }
    workload.begin()
    response.on('close', end)
    return listener(request, response)
  }
}

const isQuery = ({ url = '', headers }: IncomingMessage) =>
  url.startsWith('/graphql') && !headers.accept?.includes('text/event-stream')

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  response.writeHead(503, {
    'retry-after': retryAfter,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(refusal),
  })
  response.end(refusal)
}
