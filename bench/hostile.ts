import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { sampleBasketball } from '../src/service/sample/ids.ts'
import { hostileDocuments } from '../test/hostile/documents.ts'
import type { Hostile } from '../test/hostile/documents.ts'
import { doors } from '../test/hostile/doors.ts'
import { startStatline } from '../test/hostile/statline.ts'
import { controlMs, slownessOf, usualMs } from './hostile/slowness.ts'
import { reportBounds } from './bounds.ts'
import { rowsIn } from './json.ts'
import type { Json } from './json.ts'
import { sampleNow, serveSample } from './league.ts'
import type { League } from './league.ts'
import { percentile } from './load.ts'
import { table, tell } from './table.ts'

/** Times that a query is sent again to see how soon it is refused. */
const refusals = 5

/** Times that the control is measured before each document, and after it. */
const controls = 5

interface Measured {
  readonly kind: string
  readonly code: string
  /** The door behind which it took longest, and how long. */
  readonly door: string
  readonly ms: number
  /** The longest delay of `/health` meanwhile. */
  readonly health: number
  /** How soon the known document was refused; empty if it was answered. */
  readonly refused: readonly number[]
  readonly isRefusedAtOnce: boolean
  /** How many times slower the machine was meanwhile than the one that the bounds are for. */
  readonly slowness: number
}

/**
 * Sends hostile documents to Statline with 256 MB, one after the other, while `/health` is asked for every 10 ms. The
 * speed of machines differs by five, so the bounds are for figures that are divided by how slow this one is.
 */
export async function run(): Promise<boolean> {
  tell('compiling')
  await promisify(execFile)('npm', ['run', '--silent', 'build'])
  const league = await serveSample()
  const statline = await startStatline(league, sampleNow)
  const prober = new Worker(new URL('./hostile/prober.js', import.meta.url), { workerData: statline.url })
  const delay = () =>
    new Promise<number>((is) => {
      prober.once('message', is)
      prober.postMessage('delay', [])
    })
  try {
    const measured: Measured[] = []
    for (const asked of hostileDocuments(await subjectsOf(league), 1)) {
      tell(asked.kind)
      measured.push(await measure(statline.url, asked, delay))
    }
    return report(measured)
  } finally {
    await prober.terminate()
    statline.close()
    await league.close()
  }
}

async function subjectsOf({ url, apiKey }: League) {
  const [date, headers] = [new Date(sampleNow).toISOString().slice(0, 10), { 'x-api-key': apiKey }]
  const { organizationId: organization_id, divisionId: division_id } = sampleBasketball
  const query = new URLSearchParams({ organization_id, division_id, start_date: date }).toString()
  const answer = await fetch(`${url}/game/getGames?${query}`, { headers })
  const games = rowsIn((await answer.json()) as Json) // an object of rows
  const column = (name: string) => games.map((game) => String(game[name]))
  return { season: 2026, date, teams: column('home_team_id'), games: column('game_id') }
}

async function measure(url: string, asked: Hostile, delay: () => Promise<number>): Promise<Measured> {
  let longest = { door: '', ms: 0 }
  let code = ''
  const control = list(controls, controlMs)
  await delay()
  for (const [door, through] of Object.entries(doors)) {
    const from = performance.now()
    const reply = await through(url, asked)
    const ms = performance.now() - from
    if (!reply) continue
    if (ms > longest.ms) longest = { door, ms }
    if (code === '' || code === 'data') code = codeOf(reply.text)
  }
  const health = await delay()
  const refused: number[] = []
  for (let nth = 0; nth < (code === 'data' ? 0 : refusals); nth += 1) {
    const from = performance.now()
    await doors['POST, known']?.(url, asked)
    refused.push(performance.now() - from)
  }
  const slowness = slownessOf([...control, ...list(controls, controlMs)])
  const { kind, isRefusedAtOnce = false } = asked
  return { kind, code, ...longest, health, refused, isRefusedAtOnce, slowness }
}

const list = <T>(length: number, item: () => T): T[] => Array.from({ length }, item)

function codeOf(text: string): string {
  const [, limit] = /"limit":"(\w+)"/.exec(text) ?? []
  const [, code] = /"code":"(\w+)"/.exec(text.slice(0, 100_000)) ?? []
  return limit ?? code ?? 'data'
}

const median = (times: readonly number[]) =>
  percentile(
    times.toSorted((a, b) => a - b),
    0.5,
  )

const header = ['documents', 'code', 'slowest door', 'machine', 'ms', '/health, ms', 'refused again, ms']

function report(measured: readonly Measured[]): boolean {
  const both = (ms: number, slowness: number, digits = 0) =>
    `${(ms / slowness).toFixed(digits)} (${ms.toFixed(digits)})`
  const rows = measured.map(({ kind, code, door, ms, health, refused, slowness }) => [
    kind,
    code,
    door,
    `÷ ${slowness.toFixed(1)}`,
    both(ms, slowness),
    both(health, slowness),
    refused.length > 0 ? both(median(refused), slowness, 1) : '',
  ])
  console.log(`Beside each figure is what was measured, before it was divided by how much slower this machine was
than the one that the bounds are for, where the control takes ${usualMs} ms.\n`)
  console.log(table(header, rows))
  const slowest = (of: (one: Measured) => number) =>
    Math.max(...measured.map((one) => of(one) / one.slowness))
  const refused = measured.flatMap(({ refused: times, isRefusedAtOnce, slowness }) =>
    isRefusedAtOnce ? times.map((ms) => ms / slowness) : [],
  )
  return reportBounds([
    { what: 'the slowest, ms', ratio: slowest(({ ms }) => ms), atMost: 2_000 },
    { what: 'the longest /health, ms', ratio: slowest(({ health }) => health), atMost: 100 },
    { what: 'a refusal before execution, median of ms', ratio: median(refused), atMost: 5 },
  ])
}
