import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasRedis, startRedis } from '../test/store/redis-server.ts'
import { start } from './child.ts'
import type { Child } from './child.ts'
import { serveSample } from './league.ts'
import { record } from './speed/recording.ts'
import { measure, measureInTurns } from './speed/servers.ts'
import type { Figures, Measured } from './speed/servers.ts'
import { table } from './table.ts'

/**
 * What keeping answers beyond the process may cost, as a multiple of a cold answer that is kept in memory
 * alone.
 */
const most = 1.1

const turns = 6

/**
 * Measures what it costs a cold answer that its rows are kept in a file, or shared through a Redis where
 * nobody else has bought anything. Each request has a key of its own. Resolves with whether a request alone
 * takes at most 1.1 of the time.
 */
export async function run(): Promise<boolean> {
  if (!hasRedis) {
    console.log('left out, for there is no redis-server')
    return true
  }
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const file = join(folder, 'recording.json')
  const league = await serveSample()
  writeFileSync(file, JSON.stringify(await record(league).finally(() => league.close())))
  const redis = await startRedis()
  const upstream = await start('speed/upstream.js', [file])
  const servers = {
    memory: await start('speed/server.js', ['keys', upstream.url]),
    file: await start('speed/server.js', ['keysFile', upstream.url, folder]),
    redis: await start('speed/server.js', ['keysRedis', upstream.url, redis.url]),
  }
  try {
    const alone = await figuresOf(servers, 1)
    const many = await figuresOf(servers, 8)
    return report(alone, many)
  } finally {
    for (const child of [...Object.values(servers), upstream]) await child.end()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Kind = 'memory' | 'file' | 'redis'
type AllFigures = Readonly<Record<Kind, Figures>>

async function figuresOf(servers: Readonly<Record<Kind, Child>>, connections: number): Promise<AllFigures> {
  const pace = { seconds: 1, connections }
  const of = (child: Child) => (): Promise<Measured> => measure('keys', child, pace)
  for (const child of Object.values(servers)) await of(child)()
  return measureInTurns(turns, {
    memory: of(servers.memory),
    file: of(servers.file),
    redis: of(servers.redis),
  })
}

function report(alone: AllFigures, many: AllFigures): boolean {
  const cells = (['memory', 'file', 'redis'] as const).map((kind) => [
    kind,
    alone[kind].p50.toFixed(2),
    (alone[kind].p50 / alone.memory.p50).toFixed(2),
    many[kind].cpu.toFixed(2),
    (many[kind].cpu / many.memory.cpu).toFixed(2),
    (many[kind].rate / many.memory.rate).toFixed(2),
  ])
  console.log(
    table(
      [
        'cold answers',
        'p50 ms, one at a time',
        '÷ memory',
        'CPU ms, eight at a time',
        '÷ memory',
        'throughput ÷ memory',
      ],
      cells,
    ),
  )
  return alone.redis.p50 / alone.memory.p50 <= most && alone.file.p50 / alone.memory.p50 <= most
}
