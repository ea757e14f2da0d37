import { Pool } from 'undici'

/** The number of answered requests, their time, and the milliseconds of each, sorted. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  /** Bytes of all answers. */
  readonly bytes: number
  readonly times: readonly number[]
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
}

/** Sends the requests in turn, or each anew, as fast as answers come, over a few kept-alive connections. */
export async function loadOf(
  origin: string,
  requests: readonly Sent[] | ((nth: number) => Sent),
  { seconds, connections, most = Number.POSITIVE_INFINITY }: Pace,
): Promise<Load> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const times: number[] = []
  let [bytes, next] = [0, 0]
  const begun = performance.now()
  const until = begun + seconds * 1000
  const ask = async () => {
    while (performance.now() < until && next < most) {
      next += 1
      const sent = typeof requests === 'function' ? requests(next) : requests[next % requests.length]
      if (!sent) throw new Error('Nothing is asked.')
      const from = performance.now()
      const { statusCode, body } = await pool.request(sent)
      bytes += (await body.arrayBuffer()).byteLength
      if (statusCode !== 200) throw new Error(`${sent.path} was answered with status ${statusCode}.`)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: connections }, ask))
  const took = (performance.now() - begun) / 1000
  await pool.close()
  return { requests: times.length, seconds: took, bytes, times: times.toSorted((a, b) => a - b) }
}

/** A percentile of the requests' times, in milliseconds. */
export const percentile = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
