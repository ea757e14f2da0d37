import type { Child } from '../child.ts'
import { start } from '../child.ts'
import { loadOf, percentile } from '../load.ts'
import type { Pace, Sent } from '../load.ts'
import { tell } from '../table.ts'
import { query } from './recording.ts'

/** The ways to answer the query that are measured, each by a process of its own. */
export const kinds = {
  proxy: 'raw node:http proxy',
  quick: 'the same, calling over the transport of Statline',
  cold: 'Statline, nothing kept',
  keys: 'Statline, a new key for every request',
  warm: 'Statline, rows kept',
  kept: 'Statline, answer kept',
  cached: 'Yoga, its response cache',
  loaders: 'Yoga, a DataLoader for each class',
  frugal: 'the same, its odds from the scores',
} as const

export type Kind = keyof typeof kinds

export const names = Object.keys(kinds) as Kind[] // Object.keys forgets the names

export type Servers = ReadonlyMap<Kind, Child>

/** Starts a server of each kind. */
export async function startServers(upstream: string, node: string): Promise<Servers> {
  const servers = new Map<Kind, Child>()
  for (const kind of names) servers.set(kind, await start('speed/server.js', [kind, upstream], node))
  return servers
}

export const body = JSON.stringify({ query })

/** Documents that differ in an alias alone. */
export const documents = Array.from({ length: 500 }, (_, nth) =>
  JSON.stringify({ query: query.replace('homeScore', `score${nth}: homeScore`) }),
)

let keys = 0
/** A request of the query, with a key that was never seen where a kind needs one. */
const sentTo = (kind: Kind, path: string, text = body): Sent => ({
  method: 'POST',
  path,
  headers: {
    'content-type': 'application/json',
    ...(kind === 'keys' && { 'x-api-key': `key-${(keys += 1)}` }),
  },
  body: text,
})

export interface Measured {
  readonly requests: number
  readonly seconds: number
  /** Milliseconds of the server. */
  readonly cpu: number
  readonly times: readonly number[]
  readonly refused: number
}

/** Asks one server as fast as it answers; `texts` in turn. */
export async function measure(
  kind: Kind,
  child: Child,
  pace: Pace,
  texts: readonly string[] = [body],
): Promise<Measured> {
  const { origin, pathname: path } = new URL(child.url)
  const before = await child.cpu()
  const found = await loadOf(origin, (nth) => sentTo(kind, path, texts[nth % texts.length]), pace)
  return { ...found, cpu: (await child.cpu()) - before }
}

const add = (one: Measured | undefined, other: Measured): Measured =>
  one === undefined
    ? other
    : {
        requests: one.requests + other.requests,
        seconds: one.seconds + other.seconds,
        cpu: one.cpu + other.cpu,
        refused: one.refused + other.refused,
        times: [...one.times, ...other.times].toSorted((a, b) => a - b),
      }

/** Several servers in turn, several times, so that what else the machine does affects all alike. */
export async function measureInTurns<K extends string>(
  turns: number,
  measures: Readonly<Record<K, () => Promise<Measured>>>,
): Promise<Record<K, Figures>> {
  const measured = new Map<K, Measured>()
  const all = Object.entries(measures) as [K, () => Promise<Measured>][] // Object.entries forgets the names
  for (let turn = 1; turn <= turns; turn += 1) {
    tell(`turn ${turn} of ${turns}`)
    for (const [name, take] of all) measured.set(name, add(measured.get(name), await take()))
  }
  return Object.fromEntries([...measured].map(([name, one]) => [name, figuresOf(one)])) as Record<K, Figures> // the same names
}

export interface Figures {
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds of CPU for each request. */
  readonly cpu: number
  readonly p50: number
  readonly p99: number
  /** The share of requests that were refused at once. */
  readonly refused: number
}

const figuresOf = ({ requests, seconds, cpu, times, refused }: Measured): Figures => ({
  rate: requests / seconds,
  cpu: cpu / requests,
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  refused: refused / (requests + refused),
})
