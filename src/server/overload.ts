import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { LogRefused } from './refused-requests.ts'

/** Later answers help nobody: by then a client has asked again. */
export const defaultLongestWaitMs = 5_000

/** Milliseconds between two measurements of how busy the process is. */
const windowMs = 250

/** Answers over which the cost of one is measured. Fewer would be charged with a start or a collection. */
const leastAnswers = 10

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
 * Requests that wait for the service cost no work, so a slow service alone causes no refusals. Work is
 * elapsed time: where other processes take the processor, answers are late too. It is counted only while the
 * process is busy, because before that most of it may be other work than answers.
 */
export class Workload {
  readonly #measure: () => Worked
  #last: Worked
  /** Milliseconds of work, and answers, since the cost of an answer was last known. */
  #active = 0
  #answered = 0
  #inFlight = 0
  #msPerAnswer = 0
  #isBusy = false

  constructor(measure: () => Worked = () => performance.eventLoopUtilization()) {
    this.#measure = measure
    this.#last = measure()
  }

  /** Milliseconds until a new request would be answered; 0 while the process has time left. */
  get waitMs(): number {
    this.#update()
    return this.#isBusy ? this.#inFlight * this.#msPerAnswer : 0
  }

  begin(): void {
    this.#inFlight += 1
  }

  end(): void {
    this.#inFlight -= 1
    this.#answered += 1
  }

  #update(): void {
    const now = this.#measure()
    const active = now.active - this.#last.active
    const all = active + now.idle - this.#last.idle
    if (all < windowMs) return
    this.#last = now
    this.#isBusy = active / all >= busy
    if (!this.#isBusy) return this.#count(0, 0)
    this.#count(this.#active + active, this.#answered)
    if (this.#answered < leastAnswers) return
    this.#msPerAnswer = this.#active / this.#answered
    this.#count(0, 0)
  }

  #count(active: number, answered: number): void {
    this.#active = active
    this.#answered = answered
  }
}

const code = 'OVERLOADED'

const status = 503

const refusal = JSON.stringify({
  errors: [{ message: 'The server is overloaded. Try again.', extensions: { code } }],
})

/** Called with each refused query before its answer is sent. */
type OnShed = (request: IncomingMessage, response: ServerResponse) => void

/** Logs refused queries. The body of such a query is not read, so its operation is unknown. */
export const logShed =
  (logRefused: LogRefused): OnShed =>
  (request, response) =>
    void response.setHeader('x-request-id', logRefused(request, status, code))

/**
 * Refuses queries that would be answered too late with status 503, before they cost anything. Streams of
 * events are not counted.
 */
export function withShedding(
  listener: RequestListener,
  longestWaitMs: number,
  onShed: OnShed,
  workload = new Workload(),
): RequestListener {
  const end = () => workload.end()
  return (request, response) => {
    if (!isQuery(request)) return listener(request, response)
    if (workload.waitMs > longestWaitMs) {
      onShed(request, response)
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
  response.writeHead(status, {
    'retry-after': retryAfter,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(refusal),
  })
  response.end(refusal)
}
