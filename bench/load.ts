import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

/** The number of answered requests, their time, and the milliseconds of each, sorted. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  /** Bytes of all answers. */
  readonly bytes: number
  readonly times: readonly number[]
  /** Requests that were refused at once with a 503, and are not in the other figures. */
  readonly refused: number
}

/** One request of a load. */
export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Pace {
  readonly seconds: number
  readonly connections: number
  /** Requests after which it ends, if they are sent before the time is up. */
  readonly most?: number
  /**
   * Whether a server may answer 503 with `retry-after`, which is obeyed. Elsewhere that ends the benchmark.
   */
  readonly mayRefuse?: boolean
}

/** Sends the requests in turn, or each anew, as fast as answers come, over a few kept-alive connections. */
export async function loadOf(
  origin: string,
  requests: readonly Sent[] | ((nth: number) => Sent),
  { seconds, connections, most = Number.POSITIVE_INFINITY, mayRefuse = false }: Pace,
): Promise<Load> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const times: number[] = []
  let [bytes, next, refused] = [0, 0, 0]
  const begun = performance.now()
  const until = begun + seconds * 1000
  const ask = async () => {
    while (performance.now() < until && next < most) {
      next += 1
      const sent = typeof requests === 'function' ? requests(next) : requests[next % requests.length]
      if (!sent) throw new Error('Nothing is asked.')
      const from = performance.now()
      const { statusCode, headers, body } = await pool.request(sent)
      const { byteLength } = await body.arrayBuffer()
      if (mayRefuse && statusCode === 503 && headers['retry-after'] !== undefined) {
        refused += 1
        await sleep(1000 * Number(headers['retry-after']))
        continue
      }
      if (statusCode !== 200) throw new Error(`${sent.path} was answered with status ${statusCode}.`)
      times.push(performance.now() - from)
      bytes += byteLength
    }
  }
  await Promise.all(Array.from({ length: connections }, ask))
  const took = (performance.now() - begun) / 1000
  await pool.close()
  return { requests: times.length, seconds: took, bytes, times: times.toSorted((a, b) => a - b), refused }
}

/** A percentile of the requests' times, in milliseconds. */
export const percentile = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
