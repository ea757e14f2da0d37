import type { Logger } from 'pino'
import { givenUp, loggedLine } from './log-line.ts'
import type { Line, Spender } from './log-line.ts'
import { report } from './report.ts'

export type Log = Pick<Logger, 'info' | 'error'>

/** What the log says of a request that a stop has cut off. The status stands for an answer that has not begun. */
const cutOff = [503, 'SERVER_STOPPED'] as const

/** What fails after its client is gone fails because of that. */
function noteClosed(line: Line): void {
  const [status, code] = givenUp
  Object.assign(line, { status, outcome: 'closed', codes: [code] } satisfies Partial<Line>)
}

/** Writes one line for each request: when it is over, or when a stop cuts it off. */
export class RequestLog {
  readonly #log: Log
  readonly #running = new Set<Line>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Notes that a request is executed from now on, and who spends for it. */
  begin(line: Line, client: Spender): void {
    line.client = client
    this.#running.add(line)
  }

  /** Writes the line of a request that is over. If a stop has cut it off, it has its line. */
  write(line: Line): void {
    if (line.isCut) return
    this.#running.delete(line)
    // The end of a stream is no fault.
    if (line.client?.isClosed && line.events === undefined) noteClosed(line)
    this.#log.info(loggedLine(line))
    // An outgrown table of the set may refer to the line for long.
    line.client = undefined
  }

  /** Cuts off all requests that are executed now. Writes their lines when their calls have ended. */
  async cut(endCalls: () => Promise<unknown>): Promise<void> {
    const [status, code] = cutOff
    const lines = [...this.#running].map((line): Line => {
      line.isCut = true
      // A copy, because what fails from here on fails because of the stop.
      return { status, ...line, outcome: 'cut', codes: [...(line.codes ?? []), code] }
    })
    this.#running.clear()
    await endCalls()
    for (const line of lines)
      try {
        this.#log.info(loggedLine(line))
      } catch (error) {
        // The ledger still has to be closed.
        report(error)
      }
  }
}
