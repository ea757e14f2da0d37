import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import type { Incoming } from '../../src/wire/transport.ts'
import { basketball, graphOver, season } from './harness.ts'
import type { Answer, GraphOptions } from './harness.ts'
import { answerOf } from './spoiled.ts'

const madeUp = (name: string) => `00000000-0000-4000-8000-${name.padStart(12, '0')}`

/** A query for the statistics of teams, which takes a call for each. */
const statistics = (...names: readonly string[]) =>
  `{ ${names.map((name) => `t${name}: team(id: "${madeUp(name)}") { stats(season: ${season}) { games } }`).join(' ')} }`

const callsOf = ({ errors, extensions }: Answer<unknown>) => [errors, extensions.usage.calls]

/** A graph whose service answers when told to, one call after the other, in the order in which they came. */
function heldGraph(options: GraphOptions = {}) {
  const held: (() => void)[] = []
  const send = () =>
    new Promise<Incoming>((resolve) => {
      held.push(() => resolve(answerOf({})))
    })
  // Nothing times out: the order does not depend on the machine.
  const graph = graphOver(send, { concurrency: 2, timeoutMs: 600_000, ...options })
  return {
    ...graph,
    /** Resolves when so many calls wait or are under way. */
    inFlight: (count: number) =>
      expect.poll(() => graph.upstream.findAccount('sample-paid')?.inFlight.size ?? 0).toBe(count),
    /** Answers calls, each when it is sent, until so many were sent and answered. */
    async answer(count: number): Promise<void> {
      for (let nth = 0; nth < count; nth += 1) {
        await expect.poll(() => held.length).toBeGreaterThan(0)
        held.shift()?.()
      }
    },
    /** The teams of the calls in the order in which they were sent */
    sent: () => graph.calls.sent.map(({ arguments: { team_id } }) => String(team_id).replace(/^.*-0*/, '')),
  }
}

test('a request of one call waits for one call of each request before it, however many they make', async () => {
  const graph = heldGraph()
  const first = graph.query(statistics('11', '12', '13', '14', '15'))
  await graph.inFlight(5)
  const second = graph.query(statistics('21', '22', '23'))
  await graph.inFlight(8)
  const third = graph.query(statistics('31'))
  await graph.inFlight(9)
  await graph.answer(9)
  expect((await Promise.all([first, second, third])).map(callsOf)).toEqual([
    [undefined, 5],
    [undefined, 3],
    [undefined, 1],
  ])
  expect(graph.sent()).toEqual(['11', '12', '13', '21', '31', '14', '22', '15', '23'])
})

test('a call that several requests need is sent in the first turn of any of them', async () => {
  const graph = heldGraph()
  const first = graph.query(statistics('11', '12', '13', '14', '15', '16'))
  await graph.inFlight(6)
  // It joins the first request's last call.
  const second = graph.query(statistics('16', '21'))
  await graph.inFlight(7)
  await graph.answer(7)
  expect((await Promise.all([first, second])).map(callsOf)).toEqual([
    [undefined, 6],
    [undefined, 1],
  ])
  expect(graph.sent()).toEqual(['11', '12', '13', '16', '14', '21', '15'])
})

test.each([
  ['', false],
  [', also with a key that may not read several', true],
])('a row that several requests need is read in the first turn of any of them%s', async (_what, isTrial) => {
  const graph = heldGraph({ batchSize: 1 })
  if (isTrial) graph.upstream.accountOf('sample-paid').noteRefused('team/read', graph.upstream.moment())
  const names = (...teams: readonly string[]) =>
    `{ ${teams.map((name) => `t${name}: team(id: "${madeUp(name)}") { name }`).join(' ')} }`
  const first = graph.query(names('11', '12', '13', '14', '15', '16'))
  await graph.inFlight(6)
  const second = graph.query(names('16', '21'))
  await graph.inFlight(7)
  await graph.answer(7)
  expect((await first).extensions.usage).toMatchObject({ calls: 6 })
  expect((await second).extensions.usage).toMatchObject({ calls: 1, cacheHits: 1 })
  expect(graph.sent()).toEqual(['11', '12', '13', '16', '14', '21', '15'])
  const operation = isTrial ? 'team/get' : 'team/read'
  expect(graph.calls.sent.map((sent) => sent.operation)).toEqual(Array.from({ length: 7 }, () => operation))
})

test('a call that requests of one turn share counts as a turn of each of them', async () => {
  const graph = heldGraph()
  const first = graph.query(statistics('11', '12', '13', '14'))
  await graph.inFlight(4)
  const together = Promise.all([graph.query(statistics('21', '22')), graph.query(statistics('21', '31'))])
  await graph.inFlight(7)
  await graph.answer(7)
  expect(callsOf(await first)).toEqual([undefined, 4])
  const sums = (await together).map(({ extensions: { usage } }) => usage.calls + usage.cacheHits)
  expect(sums).toEqual([2, 2])
  expect(graph.calls.sent).toHaveLength(7)
  expect(graph.sent().slice(0, 5).toSorted()).toEqual(['11', '12', '13', '21', '31'])
})

test('another operation of another request does not wait for the calls of the first either', async () => {
  const graph = heldGraph({ concurrency: 8 })
  const first = graph.query(statistics('11', '12', '13', '14', '15', '16', '17', '18', '19'))
  await graph.inFlight(9)
  const second = graph.query(`{ team(id: "${madeUp('21')}") { name } }`)
  await expect.poll(() => graph.calls.sent.length).toBe(7)
  expect(graph.calls.take()).toEqual([...Array.from({ length: 6 }, () => 'team/getStats 1'), 'team/read 1'])
  await graph.answer(10)
  expect(callsOf(await first)).toEqual([undefined, 9])
  expect((await second).extensions.usage.calls).toBe(1)
})

test('calls of a client that is gone are dropped in their turn, but not those that another request needs', async () => {
  const graph = heldGraph()
  const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball })
  const server = createServer(app)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  let isGone = false
  server.on('connection', (socket) => socket.once('close', () => (isGone = true)))
  const headers = { 'content-type': 'application/json' }
  const gone = httpRequest({ port, path: '/graphql', method: 'POST', headers }).on('error', () => {})
  gone.end(JSON.stringify({ query: statistics('11', '12', '13', '14', '15', '16') }))
  await graph.inFlight(6)
  const second = graph.query(statistics('15', '21'))
  await graph.inFlight(7)
  gone.destroy()
  await expect.poll(() => isGone).toBe(true)
  await graph.answer(4)
  expect(callsOf(await second)).toEqual([undefined, 2])
  expect(graph.sent().slice(0, 2)).toEqual(['11', '12'])
  expect(graph.sent().slice(2).toSorted()).toEqual(['15', '21'])
  await graph.inFlight(0)
  server.close()
  server.closeAllConnections()
})
