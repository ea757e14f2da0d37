import { request as open } from 'node:http'
import { Pool } from 'undici'
import { queryOf } from './queries.ts'
import type { Subjects } from './queries.ts'

/** How much traffic there was. */
export interface Counts {
  queries: number
  events: number
  subscriptions: number
  gone: number
}

export interface Traffic {
  readonly url: string
  readonly keys: readonly string[]
  readonly subjects: Subjects
  readonly seconds: number
}

const [clients, subscribers, subscribingKeys, documents] = [12, 60, 40, 20_000]

/**
 * Mixed load for so many seconds: distinct queries under many keys, some given up on, and subscriptions that
 * come and go.
 */
export async function traffic({ url, keys, subjects, seconds }: Traffic, counts: Counts): Promise<void> {
  const until = performance.now() + seconds * 1_000
  const pool = new Pool(url, { connections: clients, pipelining: 1 })
  await Promise.all([
    ...Array.from({ length: clients }, () => asking(pool, keys, subjects, until, counts)),
    ...Array.from({ length: subscribers }, () => subscribing(url, keys, subjects, until, counts)),
  ])
  await pool.close()
}

/**
 * Lets every key ask once, each another document, so that all that is kept is full before memory is looked
 * at.
 */
export async function fill({ url, keys, subjects }: Omit<Traffic, 'seconds'>): Promise<void> {
  const pool = new Pool(url, { connections: clients, pipelining: 1 })
  const left = keys.entries()
  const visit = async () => {
    for (const [nth, key] of left) {
      const body = JSON.stringify({ query: queryOf(nth, subjects) })
      const headers = { 'content-type': 'application/json', 'x-api-key': key }
      const answer = await pool.request({ method: 'POST', path: '/graphql', headers, body })
      await answer.body.dump({ limit: 100_000_000 })
    }
  }
  await Promise.all(Array.from({ length: clients }, visit))
  await pool.close()
}

/** A number below `most`; the low ones far more often, as some keys and pages are. */
const skewed = (most: number) => Math.floor(most * Math.random() ** 2)

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function asking(
  pool: Pool,
  keys: readonly string[],
  subjects: Subjects,
  until: number,
  counts: Counts,
) {
  while (performance.now() < until) {
    const key = keys[skewed(keys.length)] ?? ''
    const body = JSON.stringify({ query: queryOf(skewed(documents), subjects) })
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const isImpatient = Math.random() < 0.02
    const signal = isImpatient ? AbortSignal.timeout(Math.ceil(30 * Math.random())) : null
    try {
      const answer = await pool.request({ method: 'POST', path: '/graphql', headers, body, signal })
      await answer.body.dump({ limit: 100_000_000 })
      counts.queries += 1
    } catch (error) {
      if (!isImpatient) throw error
      counts.gone += 1
    }
    await wait(5)
  }
}

async function subscribing(
  url: string,
  keys: readonly string[],
  { days }: Subjects,
  until: number,
  counts: Counts,
): Promise<void> {
  while (performance.now() < until) {
    const day = days[Math.floor(days.length * Math.random())]
    const query = `subscription { scores(date: "${day}") { gameId homeScore awayScore clock } }`
    const headers = {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'x-api-key': keys[Math.floor(subscribingKeys * Math.random())],
    }
    const asked = open(`${url}/graphql`, { method: 'POST', headers, agent: false })
    asked.on('error', () => {}) // destroyed below
    asked.on('response', (response) => {
      response.setEncoding('utf8')
      response.on('error', () => {})
      response.on('data', (text: string) => (counts.events += text.split('event: next').length - 1))
    })
    asked.end(JSON.stringify({ query }))
    counts.subscriptions += 1
    // Some vanish before the first event.
    await wait(Math.min(20_000 * Math.random() ** 3, Math.max(0, until - performance.now())))
    asked.destroy()
  }
}
