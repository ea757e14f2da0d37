import { request } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startSample, today } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { startLiving } from '../../server/living.ts'
import type { Living } from '../../server/living.ts'
import { installSuite } from '../../suite.ts'

const missing = await installSuite(import.meta.dirname)
const require = createRequire(join(import.meta.dirname, 'package.json'))

/** The types of packages that are installed when the suite runs, which is after the code was compiled. */
interface Express {
  use(handler: unknown): void
  listen(port: number, host: string, listening: () => void): Server
}
interface Packages {
  express: () => Express
  compression: () => unknown
  'http-proxy-middleware': { createProxyMiddleware(options: { target: string }): unknown }
}
const packageOf = <Name extends keyof Packages>(name: Name) => require(name) as Packages[Name] // as its own types have it

const live = `subscription Live { scores(date: "${today}") { gameId homeScore } }`

describe.skipIf(missing)(
  `behind an Express that compresses whatever it passes on${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    let sample: Sample
    let living: Living
    let proxy: Server
    const open: IncomingMessage[] = []

    beforeAll(async () => {
      sample = await startSample()
      living = await startLiving(sample)
      const app = packageOf('express')()
      app.use(packageOf('compression')())
      app.use(packageOf('http-proxy-middleware').createProxyMiddleware({ target: living.url }))
      await new Promise<void>((listening) => (proxy = app.listen(0, '127.0.0.1', listening)))
    })
    afterEach(() => {
      for (const one of open.splice(0)) one.destroy()
    })
    afterAll(async () => {
      proxy?.closeAllConnections()
      proxy?.close()
      await living?.close()
      await sample?.close()
    })

    async function ask(query: string, accept: string): Promise<{ headers: object; text: () => string }> {
      const { port } = proxy.address() as AddressInfo // it listens on a port
      const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip, br', accept }
      const answer = await new Promise<IncomingMessage>((is, failed) => {
        request({ host: '127.0.0.1', port, path: '/graphql', method: 'POST', headers }, is)
          .once('error', failed)
          .end(JSON.stringify({ query }))
      })
      open.push(answer)
      let text = ''
      answer.on('data', (chunk) => (text += String(chunk))).on('error', () => {})
      return { headers: answer.headers, text: () => text }
    }

    test('the first and the second stream of a document arrive event by event', async () => {
      const first = await ask(live, 'text/event-stream')
      await expect.poll(first.text).toContain('"homeScore"')
      expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
      const second = await ask(live, 'text/event-stream')
      await expect.poll(second.text).toContain('"homeScore"')
      expect(living.graph.calls.take()).toEqual([])
      for (const { headers } of [first, second]) expect(headers).not.toHaveProperty('content-encoding')
    })

    test('an answer is compressed', async () => {
      const { headers } = await ask(
        `{ league { games(date: "${today}") { homeTeam { name } awayTeam { name } } } }`,
        '*/*',
      )
      expect(headers).toHaveProperty('content-encoding')
    })
  },
)
