import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { freePort } from '../../free-port.ts'
import { longestWait } from './way.ts'
import type { Way } from './way.ts'

const program = ['redis-server', 'valkey-server']
  .flatMap((name) => ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].map((folder) => join(folder, name)))
  .find((file) => existsSync(file))

/** Why tests against Redis are skipped; empty if it is there. */
export const withoutRedis =
  program === undefined ? ' (skipped: neither redis-server nor valkey-server is installed)' : ''
export const hasRedis = program !== undefined

export interface RedisServer extends Way {
  /** Whether it runs, and answers. */
  readonly isUp: boolean
  /** Stops it like a host that hangs: connections stay open, and nothing is answered. */
  freeze(): void
  thaw(): void
  /** Ends the process. `start` starts a new, empty one at the same port. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Sends a command of the test's own. */
  send(...command: string[]): Promise<unknown>
  stop(): Promise<void>
}

/**
 * A Redis of its own, on a free port, that writes nothing to disk, with more options of its command line.
 * `REDIS_SERVER` names another program than the machine's.
 */
export async function startRedis(...options: string[]): Promise<RedisServer> {
  const server = process.env['REDIS_SERVER'] ?? program
  if (server === undefined) throw new Error('redis-server is not installed.')
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let child: ReturnType<typeof spawn> | null = null
  let isFrozen = false
  const start = async () => {
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
      ...options,
    ]
    const started = spawn(server, args, { stdio: 'ignore' })
    child = started
    isFrozen = false
    while (!(await answers(url))) {
      if (started.exitCode !== null) throw new Error('redis-server has ended.')
      await new Promise((again) => setTimeout(again, 10))
    }
  }
  // A process that was killed has a signal in place of a code.
  const isRunning = () => child?.exitCode === null && child.signalCode === null
  const kill = async () => {
    const ended = isRunning() ? new Promise((done) => child?.once('exit', done)) : undefined
    child?.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    url,
    get isUp() {
      return isRunning() && !isFrozen
    },
    get longestWaitMs() {
      return longestWait(isFrozen)
    },
    freeze() {
      isFrozen = true
      child?.kill('SIGSTOP')
    },
    thaw() {
      isFrozen = false
      child?.kill('SIGCONT')
    },
    kill,
    start,
    send: (...command) => once(url, command),
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function once(url: string, command: readonly string[]): Promise<unknown> {
  const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false } })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.sendCommand(command)
  } finally {
    client.destroy()
  }
}

const answers = (url: string) =>
  once(url, ['PING']).then(
    () => true,
    () => false,
  )
