import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChangingService } from '../../changing-service.ts'
import { basketball, startSample, today } from '../../graph/harness.ts'
import { patientProgram, started } from '../../started.ts'
import { startRedis } from '../../store/redis/redis-server.ts'
import { freePort } from '../../free-port.ts'

/** Two instances over one Redis, behind a balancer, over a service in which one game is played. */
export interface Fleet {
  readonly url: string
  /** Where the instances listen. */
  readonly ports: readonly number[]
  /** The game’s id. */
  readonly game: string
  /** Calls that the service has answered. */
  calls(): number
  /** What the instances have warned of. */
  warnings(): string
  score(points: number, status?: string): void
  /** Ends an instance by SIGTERM, and starts it again; its exit code. */
  restart(at: number): Promise<unknown>
  close(): Promise<void>
}

/** `variables` are those of the nth instance, beside and instead of the usual ones. */
export async function startFleet(
  variables: (at: number) => Readonly<Record<string, string>> = () => ({}),
): Promise<Fleet> {
  const [sample, redis] = await Promise.all([startSample(), startRedis()])
  const [row] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const game = String(row?.['game_id'])
  const now: Record<string, unknown> = { status: 'in_progress', home_score: 100 }
  let calls = 0
  const service = await startChangingService(sample.url, (rows) => {
    calls += 1
    const found = rows[game]
    if (found && 'home_score' in found) Object.assign(found, now)
  })
  const folder = mkdtempSync(join(tmpdir(), 'statline-rolling-'))
  const environment = {
    PATH: process.env['PATH'] ?? '',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'silent',
    FRESH_LIVE: '1',
    FRESH_CURRENT: '1',
    REDIS_URL: redis.url,
    // During a restart one instance has all of them, all from this machine.
    MAX_SUBSCRIPTIONS: '4000',
    MAX_SUBSCRIPTIONS_PER_CLIENT: '4000',
    UPSTREAM_URL: `http://127.0.0.1:${service.port}/v1`,
    UPSTREAM_API_KEY: 'sample-paid',
    DEFAULT_ORGANIZATION_ID: basketball.organization_id,
    DEFAULT_DIVISION_ID: basketball.division_id,
  }
  const ports = await Promise.all([freePort(), freePort()])
  let warnings = ''
  const start = (at: number) =>
    started(
      { ...environment, PORT: String(ports[at]), DATA_DIR: join(folder, String(at)), ...variables(at) },
      (text) => (warnings += text),
      patientProgram,
    )
  const instances = await Promise.all(ports.map((_, at) => start(at)))
  const balancer = balance(ports)
  await new Promise<void>((is) => balancer.listen(0, '127.0.0.1', is))
  const { port } = balancer.address() as AddressInfo // a server on a port
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    ports,
    game,
    calls: () => calls,
    warnings: () => warnings,
    score: (points, status = 'in_progress') => void Object.assign(now, { home_score: points, status }),
    async restart(at) {
      const instance = instances[at]
      if (!instance) throw new Error(`There is no instance ${at}.`)
      const ended = new Promise((is) => instance.once('exit', (code, signal) => is(signal ?? code)))
      instance.kill('SIGTERM')
      const how = await ended
      instances[at] = await start(at)
      return how
    },
    async close() {
      for (const instance of instances) instance.kill('SIGKILL')
      balancer.close()
      await service.close()
      await sample.close()
      await redis.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Passes each connection to the next instance that accepts it, and breaks it when that instance does. */
function balance(ports: readonly number[]): Server {
  let turn = 0
  const pass = (client: Socket, triesLeft: number) => {
    const instance = connect(ports[(turn += 1) % ports.length] ?? 0, '127.0.0.1')
    instance.once('connect', () => void client.pipe(instance).pipe(client))
    let isRefused = false
    instance.once('error', (error: NodeJS.ErrnoException) => {
      isRefused = error.code === 'ECONNREFUSED' && triesLeft > 0
      if (isRefused) pass(client, triesLeft - 1)
    })
    // Also if a stopping instance has accepted the connection and sent nothing.
    instance.once('close', () => isRefused || client.destroy())
    client.once('close', () => instance.destroy())
  }
  return createServer((client) => {
    client.on('error', () => {})
    pass(client, ports.length - 1)
  })
}
