import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports below those that Linux gives to connections and to port 0 (32768), and the number of them for each of
 * vitest's processes. So nobody takes a port between its check and its use, or while a server restarts.
 */
const [first, each] = [15_000, 1_000]
const pool = Number(process.env['VITEST_POOL_ID'] ?? 0) % 16

let last = Math.floor(Math.random() * each)

/** A free port, for a program that does not report its own. Never the same twice. */
export async function freePort(): Promise<number> {
  for (;;) {
    last = (last + 1) % each
    const port = first + pool * each + last
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
