import { Pool } from 'undici'

/** Requests that were answered, what they took, and the milliseconds of each, sorted. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  readonly times: readonly number[]
}

/** Asks as fast as the answers come, over a few connections that stay open. */
export async function loadOf(
  url: string,
  body: string,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<Load> {
  const { origin, pathname: path } = new URL(url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const headers = { 'content-type': 'application/json' }
  const times: number[] = []
  const begun = performance.now()
  const until = begun + seconds * 1000
  const ask = async () => {
    while (performance.now() < until) {
      const sent = performance.now()
      const { statusCode, body: answer } = await pool.request({ method: 'POST', path, headers, body })
      await answer.dump({ limit: Number.MAX_SAFE_INTEGER })
      if (statusCode !== 200) throw new Error(`${url} answered with status ${statusCode}.`)
      times.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, ask))
  const took = (performance.now() - begun) / 1000
  await pool.close()
  return { requests: times.length, seconds: took, times: times.toSorted((a, b) => a - b) }
}

/** The time that a share of the requests took at most, in milliseconds. */
export const percentile = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
