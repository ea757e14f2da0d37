import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { longestWait } from './way.ts'
import type { Way } from './way.ts'

/** A relay before a Redis, which delays its replies and counts round trips. */
export interface Relay extends Way {
  /** Milliseconds that each reply takes longer. */
  delay: number
  /** What was sent in each round trip: everything between two replies. */
  readonly trips: readonly string[]
  /** Bytes of all replies. */
  received: number
  /** Resolves when nothing has been sent for a while and all is answered. */
  quiet(): Promise<void>
  forget(): void
  close(): Promise<void>
}

/** Looks of 10 ms each. While this process stands still, it does not look. */
const quietLooks = 6

export async function relayTo(url: string): Promise<Relay> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const trips: string[] = []
  const relay = { delay: 0, received: 0 }
  let [sent, answered] = [0, 0]
  const server = createServer((client) => {
    const redis = connect(Number(target.port), target.hostname)
    let isAnswered = true
    let before: Promise<unknown> = Promise.resolve()
    client.on('data', (chunk) => {
      if (isAnswered || trips.length === 0) trips.push('')
      isAnswered = false
      sent = performance.now()
      trips[trips.length - 1] += chunk.toString('latin1')
      redis.write(chunk)
    })
    redis.on('data', (chunk) => {
      relay.received += chunk.length
      before = Promise.all([before, wait(relay.delay)]).then(() => {
        isAnswered = true
        answered = performance.now()
        client.write(chunk)
      })
    })
    for (const socket of [client, redis]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => (client.destroy(), redis.destroy()))
    }
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // on TCP
  return Object.assign(relay, {
    url: `redis://127.0.0.1:${port}`,
    longestWaitMs: longestWait(false),
    trips,
    async quiet() {
      let [looks, seen] = [0, Number.NaN]
      while (looks < quietLooks) {
        const latest = Math.max(sent, answered)
        looks = answered >= sent && latest === seen ? looks + 1 : 0
        seen = latest
        await wait(10)
      }
    },
    forget: () => void trips.splice(0),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  })
}
