import type { Duplex } from 'node:stream'

/** Refuses to take a connection over, with a status such as `403 Forbidden`. */
export function refuseUpgrade(socket: Duplex, status: string, ...headers: string[]): void {
  socket.on('error', () => {})
  const lines = [`HTTP/1.1 ${status}`, 'connection: close', 'content-length: 0', ...headers]
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
}

/**
 * Refuses an upgrade while the process starts or stops. A proxy can then ask another instance, and clients
 * try again.
 */
export const refuseForNow = (socket: Duplex): void =>
  refuseUpgrade(socket, '503 Service Unavailable', 'retry-after: 1')
