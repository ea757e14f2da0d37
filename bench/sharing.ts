import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasRedis, startRedis } from '../test/store/redis/redis-server.ts'
import { reportBounds } from './bounds.ts'
import { start } from './child.ts'
import type { Child } from './child.ts'
import { serveSample } from './league.ts'
import { pingMs, withAwakeCores } from './sharing/awake.ts'
import { record } from './speed/recording.ts'
import { measure, measureInTurns } from './speed/servers.ts'
import type { Figures, Measured } from './speed/servers.ts'
import { table } from './table.ts'

/**
 * What keeping rows and ledger beyond the process may cost, as a multiple of a cold answer that is kept in
 * memory alone: its time, from a service that takes `serviceMs` and from one that answers at once, and the
 * CPU time of Statline's own process.
 */
const bounds = { time: 1.1, cpu: { file: 1.6, redis: 2.2 } }

/** Milliseconds that the service takes: less than any service over a network. */
const serviceMs = 10

const turns = 6

/**
 * Answers, or seconds, right before each measurement. Code that is not compiled yet takes several times as
 * long, and so does a process that has collected garbage while it was idle.
 */
const warmUp = { seconds: 12, connections: 8, most: 2_000 }

/**
 * Measures what it costs a cold answer that its rows and its bill are kept in files, or shared through a
 * Redis where nobody else has bought anything, and what one PING a level costs alone. Each request has a key
 * of its own. Resolves with whether the bounds hold.
 */
export async function run(): Promise<boolean> {
  if (!hasRedis) {
    console.log('left out, for there is no redis-server')
    return true
  }
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const recording = join(folder, 'recording.json')
  const league = await serveSample()
  writeFileSync(recording, JSON.stringify(await record(league).finally(() => league.close())))
  const redis = await startRedis()
  const open: Child[] = []
  const started = async (script: string, args: readonly string[]) => {
    const child = await start(script, args)
    open.push(child)
    return child
  }
  const serversOf = async (name: string, delay: number) => {
    const { url } = await started('speed/upstream.js', [recording, String(delay)])
    return {
      memory: await started('speed/server.js', ['keys', url]),
      file: await started('speed/server.js', ['keysFile', url, join(folder, name)]),
      redis: await started('speed/server.js', ['keysRedis', url, redis.url]),
      ping: await started('speed/server.js', ['keysPing', url, redis.url]),
    }
  }
  try {
    const [quick, slow] = [await serversOf('quick', 0), await serversOf('slow', serviceMs)]
    const alone = await figuresOf(quick, 1)
    const many = await figuresOf(quick, 8)
    const asleep = await pingMs(redis.url, serviceMs)
    const [awake, late] = await withAwakeCores(async () => [
      await pingMs(redis.url, serviceMs),
      await figuresOf(slow, 1),
    ])
    console.log(
      `a PING after ${serviceMs} ms: ${awake.toFixed(2)} ms; if the cores may sleep: ${asleep.toFixed(2)} ms`,
    )
    return report(alone, many, late)
  } finally {
    for (const child of open.toReversed()) await child.end()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Kind = 'memory' | 'file' | 'redis' | 'ping'
type AllFigures = Readonly<Record<Kind, Figures>>

async function figuresOf(servers: Readonly<Record<Kind, Child>>, connections: number): Promise<AllFigures> {
  const pace = { seconds: 1, connections }
  const of = (child: Child) => (): Promise<Measured> => measure('keys', child, pace)
  for (const child of Object.values(servers)) await measure('keys', child, warmUp)
  return measureInTurns(turns, {
    memory: of(servers.memory),
    file: of(servers.file),
    redis: of(servers.redis),
    ping: of(servers.ping),
  })
}

function report(alone: AllFigures, many: AllFigures, late: AllFigures): boolean {
  const ratio = (figures: AllFigures, kind: Kind, of: 'p50' | 'cpu' | 'rate') =>
    figures[kind][of] / figures.memory[of]
  const cells = (['memory', 'file', 'redis', 'ping'] as const).map((kind) => [
    kind === 'ping' ? 'memory, a PING a level' : kind,
    late[kind].p50.toFixed(2),
    ratio(late, kind, 'p50').toFixed(2),
    alone[kind].p50.toFixed(2),
    ratio(alone, kind, 'p50').toFixed(2),
    many[kind].cpu.toFixed(2),
    ratio(many, kind, 'cpu').toFixed(2),
    ratio(many, kind, 'rate').toFixed(2),
  ])
  console.log(
    table(
      [
        'cold answers',
        `p50 ms, service of ${serviceMs} ms`,
        '÷ memory',
        'p50 ms, service of 0 ms',
        '÷ memory',
        'CPU ms, eight at a time',
        '÷ memory',
        'throughput ÷ memory',
      ],
      cells,
    ),
  )
  return reportBounds(
    (['file', 'redis'] as const).flatMap((kind) => [
      { what: `${kind}, service of ${serviceMs} ms`, ratio: ratio(late, kind, 'p50'), atMost: bounds.time },
      { what: `${kind}, service of 0 ms`, ratio: ratio(alone, kind, 'p50'), atMost: bounds.time },
      { what: `${kind}, CPU time`, ratio: ratio(many, kind, 'cpu'), atMost: bounds.cpu[kind] },
    ]),
  )
}
