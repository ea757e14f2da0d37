import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/client/document.ts'
import { LiveScoresDocument } from '../../../src/client/generated/graphql.ts'
import { allSuites } from '../../all-suites.ts'
import { buildEntry, installProject, project } from '../../client/packed.ts'
import { hasRedis, withoutRedis } from '../../store/redis/redis-server.ts'
import { run } from '../../suite.ts'
import { startFleet } from './fleet.ts'
import type { Fleet } from './fleet.ts'

const missing = await installProject()

/** Subscribers of each of five clients. */
const each = Number(process.env['ROLLING_EACH'] ?? (allSuites ? 200 : 40))

interface Rolled {
  readonly shown: Readonly<Record<string, number>>
  readonly wereStale: number
  readonly areStale: number
  readonly said: Readonly<Record<string, number>>
  readonly seconds: number
}

/** Restarts both instances, one after the other. The score changes with each. Returns the final score. */
async function roll(fleet: Fleet, ends: unknown[]): Promise<string[]> {
  fleet.score(101)
  ends.push(await fleet.restart(0))
  fleet.score(102)
  const last = fleet.restart(1)
  fleet.score(103, 'final') // while half of the subscribers are not connected
  ends.push(await last)
  return ['103']
}

/** Lets the subscribers’ process command the fleet. */
async function startControl(fleet: Fleet, ends: unknown[]) {
  const server = createServer((request, response) => {
    const told =
      request.url === '/roll' ? roll(fleet, ends) : Promise.resolve([fleet.game, textOf(LiveScoresDocument)])
    told
      .then((text) => response.end(JSON.stringify(text)))
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((is) => server.listen(0, '127.0.0.1', is))
  const { port } = server.address() as AddressInfo // a server on a port
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() }
}

describe.skipIf(missing !== null || !hasRedis)(
  `a rolling restart of two instances${missing ? ` (skipped: ${missing})` : withoutRedis}`,
  () => {
    it(`loses no final score of ${5 * each} subscribers, through four hooks and WebSocket`, async () => {
      await buildEntry('src/rolling.tsx')
      const fleet = await startFleet()
      const ends: unknown[] = []
      const control = await startControl(fleet, ends)
      const began = Date.now()
      const { code, output } = await run(
        project,
        process.execPath,
        'rolling.mjs',
        fleet.url,
        control.url,
        String(each),
      )
      const seconds = (Date.now() - began) / 1_000
      const [calls, warnings] = [fleet.calls(), fleet.warnings()]
      control.close()
      await fleet.close()
      expect(code, output).toBe(0)
      expect(ends).toEqual([0, 0])
      const said = output.split('\n').find((line) => line.startsWith('{')) ?? ''
      expect(said, output).not.toBe('')
      const rolled = JSON.parse(said) as Record<string, Rolled>
      expect(Object.keys(rolled)).toEqual(['react', 'apollo', 'urql', 'tanstack', 'websocket'])
      for (const [name, { shown, wereStale, areStale, seconds: waited }] of Object.entries(rolled)) {
        expect([name, shown], output + warnings).toEqual([name, { 103: each }])
        // Each was connected to one of the instances, and both restarted.
        expect([name, wereStale, areStale]).toEqual([name, each, 0])
        // They have the machine to themselves. A client's longest pause between two tries is 8 s.
        expect(waited, said).toBeLessThan(60)
      }
      // A poll of two calls a second for all subscribers, and the first queries of each page.
      expect(calls).toBeLessThan(3 * seconds + 20)
    })
  },
)
