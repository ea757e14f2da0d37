import { fork } from 'node:child_process'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Messages of a child process. */
interface Told {
  readonly url?: string
  /** The API key of the child's service, valid for all operations. */
  readonly apiKey?: string
  /** CPU time so far, in milliseconds. */
  readonly cpu?: number
  /** Resident memory, in megabytes. */
  readonly memory?: number
  /** What a child that does not listen has measured. */
  readonly figures?: readonly number[]
}

/** Listens on a free port and reports it to the parent. */
export function listening(server: Server, path: string): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo // on TCP
    reached(`http://127.0.0.1:${port}${path}`)
  })
}

/** Reports this process's address to the parent, and what it uses on request. Exits with the parent. */
export function reached(url: string, apiKey?: string): void {
  process.send?.({ url, ...(apiKey && { apiKey }) } satisfies Told)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: (user + system) / 1000, memory: process.memoryUsage.rss() / 1e6 } satisfies Told)
  })
  process.once('disconnect', () => process.exit())
}

/** Reports figures to the parent, and exits with it. */
export function measured(figures: readonly number[]): void {
  process.send?.({ figures } satisfies Told)
  process.once('disconnect', () => process.exit())
}

export interface Child {
  readonly url: string
  readonly apiKey: string
  /** What a child that does not listen has measured. */
  readonly figures: readonly number[]
  /** CPU time so far, in milliseconds. */
  cpu(): Promise<number>
  /** Resident memory, in megabytes. */
  memory(): Promise<number>
  end(): Promise<void>
}

/** Starts a script of this folder in its own process, as in production, and waits until it listens. */
export async function start(
  script: string,
  args: readonly string[],
  node = process.execPath,
): Promise<Child> {
  const child = fork(new URL(script, import.meta.url), args, { env: production(), execPath: node, execArgv })
  const next = () =>
    new Promise<Told>((resolve, reject) => {
      child.once('exit', reject)
      child.once('message', (told) => {
        child.off('exit', reject)
        resolve(told as Told) // the child sends nothing else
      })
    })
  const { url = '', apiKey = '', figures = [] } = await next()
  const asked = () => {
    const told = next()
    child.send('usage')
    return told
  }
  return {
    url,
    apiKey,
    figures,
    cpu: async () => (await asked()).cpu ?? 0,
    memory: async () => (await asked()).memory ?? 0,
    end: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.disconnect()
      }),
  }
}

/** As `npm start` and the image set it. Node 20 has no larger young generation anyway. */
const execArgv = ['--max-semi-space-size=16']

const production = () => ({ ...process.env, NODE_ENV: 'production' })
