import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { request } from 'undici'
import { serveSample } from './league.ts'
import { start } from './child.ts'
import type { Child } from './child.ts'
import { loadOf, percentile } from './load.ts'
import type { Pace } from './load.ts'
import { check, query, record } from './speed/recording.ts'
import { table, tell } from './table.ts'

const kinds = {
  cold: 'Statline, nothing kept',
  loaders: 'Yoga, a DataLoader for each class',
  frugal: 'the same, its odds from the scores',
  proxy: 'raw node:http proxy',
  warm: 'Statline, everything kept',
} as const

type Kind = keyof typeof kinds

const names = Object.keys(kinds) as Kind[] // Object.keys forgets the names

/** Each takes its turn several times, so that what else the machine does meets all alike. */
const turns = 4
const seconds = 1.5
const connections = 8

/** What the layer with loaders is to be beaten by, in throughput. */
const least = 2

interface Measured {
  requests: number
  seconds: number
  cpu: number
  times: readonly number[]
}

/**
 * A day of forty games with teams and odds, asked as fast as the answers come: Statline with nothing kept, beside a proxy that only
 * parses and prints, and beside Yoga with a resolver for each field and a DataLoader for each class. All ask a process that answers the same recorded bytes at once. Resolves with
 * whether Statline has at least twice the throughput of the loaders.
 */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const file = join(folder, 'recording.json')
  const league = await serveSample()
  writeFileSync(file, JSON.stringify(await record(league).finally(() => league.close())))
  const upstream = await start('speed/upstream.js', [file])
  const children = new Map<Kind, Child>()
  try {
    for (const kind of names) children.set(kind, await start('speed/server.js', [kind, upstream.url]))
    await agree(children)
    return report(await measureAll(children))
  } finally {
    for (const child of [...children.values(), upstream]) await child.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

const body = JSON.stringify({ query })

async function answerOf(url: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  return (await request(url, { method: 'POST', headers, body })).body.json()
}

/** Fails where one answers something else than the others. */
async function agree(children: ReadonlyMap<Kind, Child>): Promise<void> {
  let first: unknown
  for (const [kind, { url }] of children) {
    const games = check(await answerOf(url)).toSorted((a, b) =>
      String(a['gameId']) < String(b['gameId']) ? -1 : 1,
    )
    first ??= games
    if (!isDeepStrictEqual(first, games)) throw new Error(`${kinds[kind]} answers differently.`)
  }
}

async function measureAll(children: ReadonlyMap<Kind, Child>): Promise<Map<Kind, Measured>> {
  const measured = new Map<Kind, Measured>()
  for (const { url } of children.values()) await load(url, { seconds: 1, connections })
  for (let turn = 1; turn <= turns; turn += 1) {
    tell(`turn ${turn} of ${turns}`)
    for (const [kind, child] of children) measured.set(kind, add(measured.get(kind), await measure(child)))
  }
  return measured
}

async function measure(child: Child): Promise<Measured> {
  const before = await child.cpu()
  const found = await load(child.url, { seconds, connections })
  return { ...found, cpu: (await child.cpu()) - before }
}

function load(url: string, pace: Pace) {
  const { origin, pathname: path } = new URL(url)
  const headers = { 'content-type': 'application/json' }
  return loadOf(origin, [{ method: 'POST', path, headers, body }], pace)
}

const add = (one: Measured | undefined, other: Measured): Measured =>
  one === undefined
    ? other
    : {
        requests: one.requests + other.requests,
        seconds: one.seconds + other.seconds,
        cpu: one.cpu + other.cpu,
        times: [...one.times, ...other.times].toSorted((a, b) => a - b),
      }

interface Figures {
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds of CPU for each request. */
  readonly cpu: number
  readonly p50: number
  readonly p99: number
}

const figuresOf = ({ requests, seconds: took, cpu, times }: Measured): Figures => ({
  rate: requests / took,
  cpu: cpu / requests,
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
})

const none: Figures = { rate: 0, cpu: 0, p50: 0, p99: 0 }

function report(measured: ReadonlyMap<Kind, Measured>): boolean {
  const figures = new Map([...measured].map(([kind, one]) => [kind, figuresOf(one)]))
  const of = (kind: Kind) => figures.get(kind) ?? none
  const rows = names.map((kind) => {
    const { rate, cpu, p50, p99 } = of(kind)
    const shares = [rate / of('proxy').rate, rate / of('loaders').rate]
    return [
      kinds[kind],
      ...[rate, ...shares, cpu, p50, p99].map((figure) => figure.toFixed(figure < 20 ? 2 : 0)),
    ]
  })
  const head = ['40 games, teams and odds', 'a second', '÷ proxy', '÷ loaders', 'CPU ms', 'p50 ms', 'p99 ms']
  console.log(table(head, rows))
  const beside = (other: Kind) =>
    `${(of('cold').rate / of(other).rate).toFixed(2)} of its throughput, ${(of('cold').cpu / of(other).cpu).toFixed(2)} of its CPU, ` +
    `${(of('cold').p50 / of(other).p50).toFixed(2)} of its p50, ${(of('cold').p99 / of(other).p99).toFixed(2)} of its p99`
  console.log(`\ncold, beside the raw proxy: ${beside('proxy')}`)
  console.log(`cold, beside the loaders: ${beside('loaders')} (throughput at least ${least})`)
  console.log(`cold, beside the loaders with odds from the scores: ${beside('frugal')}`)
  return of('cold').rate >= least * of('loaders').rate
}
