import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Refuses to take a connection over. */
export function refuseUpgrade(socket: Duplex, status: number, ...headers: string[]): void {
  socket.on('error', () => {})
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
  const lines = [first, 'connection: close', 'content-length: 0', ...headers]
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
}

/**
 * Refuses an upgrade while the process starts or stops. A proxy can then ask another instance, and clients
 * try again.
 */
export const refuseForNow = (socket: Duplex, ...headers: string[]): void =>
  refuseUpgrade(socket, 503, 'retry-after: 1', ...headers)
