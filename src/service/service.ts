import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { answererOf } from './answer.ts'
import { closing } from './http/closing.ts'
import { listenerOf } from './http/listener.ts'
import type { Limits, Report } from './http/listener.ts'
import { PREFIX } from './http/request.ts'
import type { Clock } from './keys/keys.ts'
import { isPassing } from './store/connection.ts'
import type { Database } from './store/database.ts'

export interface ServiceOptions {
  readonly database: Database
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Milliseconds since 1970 (UTC), for months of usage. */
  readonly clock?: Clock
  readonly report?: Report
  readonly limits?: Partial<Limits>
}

export interface Service {
  /** The base address, version prefix included. */
  readonly url: string
  /** Accepts no more requests and resolves when the running ones are answered. The database stays open. */
  close(): Promise<void>
}

/** The port cannot be opened. The message is one line for the operator. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'
}

/** Serves the statistics of a database over HTTP. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { database, host = '127.0.0.1', port = 0, clock = Date.now, report = logFailure, limits } = options
  const server = listenerOf(answererOf(database, clock), report, limits)
  const close = closing(server)
  await listen(server, host, port)
  const { port: bound } = server.address() as AddressInfo // listening on TCP
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${PREFIX}`,
    close,
  }
}

/** Checks that the port is free, before slow work begins. */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer()
  await listen(server, host, port)
  await new Promise((resolve) => server.close(resolve))
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port)))
    server.listen(port, host, 4096, resolve)
  })
}

const whatCannot = (host: string, port: number) =>
  `The statistics service cannot listen on ${host}:${port}, which HOST and SERVICE_PORT name`

function explained(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') return new PortTakenError(`${whatCannot(host, port)}: the port is taken.`)
  if (error.code === 'EACCES') return new PortTakenError(`${whatCannot(host, port)}: it is not allowed to.`)
  return error
}

const logFailure: Report = (error) =>
  isPassing(error)
    ? console.error(`The statistics service is without its database: ${String(error)}`)
    : console.error('The statistics service failed to answer a request:', error)
