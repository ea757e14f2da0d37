import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { request } from 'undici'
import { serveSample } from './league.ts'
import { digits, reportBounds } from './bounds.ts'
import type { Bound } from './bounds.ts'
import { start } from './child.ts'
import type { Child } from './child.ts'
import { check, record } from './speed/recording.ts'
import { body, documents, kinds, measure, measureInTurns, names, startServers } from './speed/servers.ts'
import type { Figures, Kind, Servers } from './speed/servers.ts'
import { table, tell } from './table.ts'

/** Each takes its turn several times, so that what else the machine does affects all alike. */
const turns = 4
const pace = { seconds: 1.5, connections: 8 }

/**
 * Answers before any is measured, so that what is measured is compiled; on a busy machine as many as come in
 * that time. One turn that is not counted follows: the quickest server gives that many in a tenth of a
 * second, before its code is compiled.
 */
const warmUp = { seconds: 15, connections: 8, most: 1_500 }

/** Where npm has installed Node 24, if it has. */
const node24 = 'bench/node-24/node_modules/node/bin/node'

/** Keys after which the memory of a server is measured. */
const manyKeys = 10_000

/** Rows of the days whose cells are measured. */
const lengths = [10, 100, 1_000]

const severalConnections = [1, 8, 64, 200]

/**
 * Measures Statline's own time for a day of forty games with teams and odds. It is compared with a raw proxy
 * that parses the same answers and prints the same fields, with Yoga's response cache, and with Yoga and
 * DataLoaders. All of them ask one process that returns recorded bytes. Runs on this Node and on another: the
 * one that `NODE_BESIDE` names, or Node 24 where it is installed. Resolves with whether every bound holds on
 * this one.
 */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const file = join(folder, 'recording.json')
  const league = await serveSample()
  writeFileSync(file, JSON.stringify(await record(league).finally(() => league.close())))
  try {
    const named = process.env['NODE_BESIDE']
    if (named !== undefined && !existsSync(named))
      throw new RangeError(`NODE_BESIDE names ${named}, where there is no Node.`)
    const isGood = await runOn(process.execPath, file)
    const beside = named ?? resolve(node24)
    if (existsSync(beside)) await runOn(beside, file)
    else console.log('\nNode 24 is left out: npm ci --prefix bench/node-24 installs it.')
    return isGood
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runOn(node: string, file: string): Promise<boolean> {
  const upstream = await start('speed/upstream.js', [file])
  const servers = await startServers(upstream.url, node)
  try {
    await agree(servers)
    const figures = await measureKinds(servers)
    const bounds = [
      ...boundsOf(figures),
      await memoryBound(serverOf(servers, 'keys')),
      ...(await cellBounds(file, node)),
    ]
    report(node, figures)
    await reportDocuments(servers)
    await reportConnections(servers)
    return reportBounds(bounds)
  } finally {
    for (const child of [...servers.values(), upstream]) await child.end()
  }
}

async function answerOf(url: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-api-key': 'first' }
  return (await request(url, { method: 'POST', headers, body })).body.json()
}

/** Throws if one answers something else than the others. */
async function agree(servers: Servers): Promise<void> {
  let first: unknown
  for (const [kind, { url }] of servers) {
    const games = check(await answerOf(url)).toSorted((a, b) =>
      String(a['gameId']) < String(b['gameId']) ? -1 : 1,
    )
    first ??= games
    if (!isDeepStrictEqual(first, games)) throw new Error(`${kinds[kind]} answers differently.`)
  }
}

function serverOf(servers: Servers, kind: Kind): Child {
  const child = servers.get(kind)
  if (!child) throw new Error(`No server ${kind}.`)
  return child
}

type AllFigures = Readonly<Record<Kind, Figures>>

async function measureKinds(servers: Servers): Promise<AllFigures> {
  for (const [kind, child] of servers) {
    await measure(kind, child, warmUp)
    await measure(kind, child, pace)
  }
  const measures = names.map((kind) => [kind, () => measure(kind, serverOf(servers, kind), pace)])
  return measureInTurns(turns, Object.fromEntries(measures) as Record<Kind, () => ReturnType<typeof measure>>) // of all kinds
}

const boundsOf = ({ proxy, cold, keys, warm, kept, cached, loaders }: AllFigures): Bound[] => [
  { what: 'cold, one key: throughput ÷ proxy', ratio: cold.rate / proxy.rate, atLeast: 0.6 },
  { what: 'cold, one key: p99 ÷ proxy', ratio: cold.p99 / proxy.p99, atMost: 3 },
  {
    what: 'cold, a new key for every request: throughput ÷ proxy',
    ratio: keys.rate / proxy.rate,
    atLeast: 0.45,
  },
  { what: 'rows kept, another query: CPU ÷ proxy', ratio: warm.cpu / proxy.cpu, atMost: 0.35 },
  { what: 'same query: CPU of Yoga’s response cache ÷ Statline', ratio: cached.cpu / kept.cpu, atLeast: 8 },
  { what: 'cold: throughput ÷ loaders', ratio: cold.rate / loaders.rate, atLeast: 2 },
]

async function memoryBound(keys: Child): Promise<Bound> {
  tell(`${manyKeys} keys`)
  await measure('keys', keys, { seconds: 300, connections: pace.connections, most: manyKeys })
  return { what: `MB after ${manyKeys} keys`, ratio: await keys.memory(), atMost: 250 }
}

async function cellBounds(file: string, node: string): Promise<Bound[]> {
  tell('cells')
  const child = await start('speed/cells.js', [file, ...lengths.map(String)], node)
  await child.end()
  return lengths.map((length, nth) => ({
    what: `µs of CPU for each kept cell, ${length} rows`,
    ratio: child.figures[nth] ?? 0,
    atMost: 0.25,
  }))
}

function report(node: string, figures: AllFigures): void {
  const rows = names.map((kind) => {
    const { rate, cpu, p50, p99 } = figures[kind]
    const { proxy } = figures
    return [kinds[kind], ...[rate, rate / proxy.rate, cpu, cpu / proxy.cpu, p50, p99].map(digits)]
  })
  const head = [
    `40 games, teams and odds; ${node}`,
    'a second',
    '÷ proxy',
    'CPU ms',
    '÷ proxy',
    'p50 ms',
    'p99 ms',
  ]
  console.log(table(head, rows))
}

async function reportDocuments(servers: Servers): Promise<void> {
  const warm = serverOf(servers, 'warm')
  await measure('warm', warm, pace, documents)
  const { one, many } = await measureInTurns(2, {
    one: () => measure('warm', warm, pace),
    many: () => measure('warm', warm, pace, documents),
  })
  console.log(
    `\n${documents.length} distinct documents in turn: ${digits(many.cpu / one.cpu)} of the CPU of one`,
  )
}

async function reportConnections(servers: Servers): Promise<void> {
  const rows: string[][] = []
  for (const connections of severalConnections) {
    const { proxy, cold } = await measureInTurns(2, {
      proxy: () => measure('proxy', serverOf(servers, 'proxy'), { ...pace, connections }),
      cold: () => measure('cold', serverOf(servers, 'cold'), { ...pace, connections, mayRefuse: true }),
    })
    const figures = [cold.rate / proxy.rate, cold.cpu / proxy.cpu, cold.p50, cold.p99, cold.p99 / proxy.p99]
    rows.push([String(connections), ...figures.map(digits), `${(100 * cold.refused).toFixed(1)} %`])
  }
  const head = [
    'connections, cold',
    'throughput ÷ proxy',
    'CPU ÷ proxy',
    'p50 ms',
    'p99 ms',
    'p99 ÷ proxy',
    'refused',
  ]
  console.log(`\n${table(head, rows)}`)
}
