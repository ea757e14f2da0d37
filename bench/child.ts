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
}

/** Listens on a free port and reports it to the parent. */
export function listening(server: Server, path: string): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo // on TCP
    reached(`http://127.0.0.1:${port}${path}`)
  })
}

/** Reports this process's address to the parent, and its CPU time on request. Exits with the parent. */
export function reached(url: string, apiKey?: string): void {
  process.send?.({ url, ...(apiKey && { apiKey }) } satisfies Told)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: (user + system) / 1000 } satisfies Told)
  })
  process.once('disconnect', () => process.exit())
}

export interface Child {
  readonly url: string
  readonly apiKey: string
  /** CPU time so far, in milliseconds. */
  cpu(): Promise<number>
  end(): Promise<void>
}

/** Starts a script of this folder in its own process, as in production, and waits until it listens. */
export async function start(script: string, args: readonly string[]): Promise<Child> {
  const child = fork(new URL(script, import.meta.url), args, { env: production() })
  const next = () =>
    new Promise<Told>((resolve, reject) => {
      child.once('exit', reject)
      child.once('message', (told) => {
        child.off('exit', reject)
        resolve(told as Told) // the child sends nothing else
      })
    })
  const { url = '', apiKey = '' } = await next()
  return {
    url,
    apiKey,
    async cpu() {
      const told = next()
      child.send('cpu')
      return (await told).cpu ?? 0
    },
    end: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.disconnect()
      }),
  }
}

const production = () => ({ ...process.env, NODE_ENV: 'production' })
