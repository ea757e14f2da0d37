import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { fakedTimers, until } from '../client/living.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { startLiving } from './living.ts'
import type { Living } from './living.ts'

let sample: Sample
let living: Living
let games: number

/** The sockets of this process that have sent something, also the server’s. */
const sending = new Set<WebSocket>()

/** Events and answers of about 100 kB, which soon fill the system's buffers of a connection. */
const fields = Array.from({ length: 2_000 }, (_, at) => `id${at}:gameId`).join(' ')

beforeAll(async () => {
  sample = await startSample()
  games = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
})
afterAll(() => sample.close())
beforeEach(async () => {
  const { setInterval } = globalThis
  // The heartbeat would disconnect clients that do not read. It has a test of its own.
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((act: () => void, ms: number) =>
    setInterval(ms === 12_000 ? () => {} : act, ms)) as typeof globalThis.setInterval)
  const { send } = WebSocket.prototype
  vi.spyOn(WebSocket.prototype, 'send').mockImplementation(function (this: WebSocket, ...all: unknown[]) {
    sending.add(this)
    return Reflect.apply(send, this, all)
  })
  vi.useFakeTimers(fakedTimers)
  living = await startLiving(sample)
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  sending.clear()
  await living.close()
})

type Scored = Readonly<Record<string, string | number | null>>

interface Heard {
  readonly type: string
  readonly payload?: { readonly data?: { readonly scores?: Scored } }
}

/** A client that can stop reading. */
async function connected() {
  const socket = new WebSocket(`${living.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const heard: Heard[] = []
  socket.on('error', () => {})
  socket.on('message', (message) => void heard.push(JSON.parse(String(message)) as Heard))
  await new Promise((opened) => socket.once('open', opened))
  socket.send(JSON.stringify({ type: 'connection_init' }))
  await until(() => heard.length === 1)
  const there = [...sending].find((one) => one !== socket)
  if (!there) throw new Error('The server has said nothing.')
  const ask = (id: string, query: string) =>
    socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query } }))
  return {
    socket,
    heard,
    there,
    ask,
    scores: () => heard.flatMap(({ payload }) => (payload?.data?.scores ? [payload.data.scores] : [])),
  }
}

const turn = () => new Promise(setImmediate)

describe('a client of a WebSocket that stops reading', () => {
  test('has one event of each game waiting, and reads the newest when it goes on', async () => {
    const { socket, there, ask, scores } = await connected()
    ask('1', `subscription { scores(date: "${today}") { gameId homeScore ${fields} } }`)
    await until(() => scores().length === games)
    const size = JSON.stringify(scores()[0]).length
    living.graph.calls.take()
    const billed = () => living.graph.upstream.ledgers.totals().calls
    const before = billed()
    socket.pause()
    let [polls, most] = [0, 0]
    // Until the system takes no more, and then as often again.
    for (let full = 0; full < 20; full += there.bufferedAmount > 0 ? 1 : 0) {
      living.score((polls += 1))
      const told = billed()
      // A poll may be planned only after time has gone by.
      for (let tries = 0; billed() === told && tries < 6_000; tries += 1)
        await living.pass(tries % 20 === 0 ? 16_000 : 0)
      most = Math.max(most, there.bufferedAmount)
      expect(polls).toBeLessThan(500)
    }
    expect(most).toBeLessThan(2 * size)
    // One call a poll, read or not.
    expect(living.graph.calls.take()).toHaveLength(billed() - before)
    expect(billed() - before).toBe(polls)
    socket.resume()
    const newest = () =>
      new Set(scores().flatMap(({ gameId, homeScore }) => (homeScore === polls ? gameId : [])))
    await until(() => newest().size > 0 && there.bufferedAmount === 0)
    const changing = newest().size
    // Those of at least twenty polls were never sent.
    expect(scores().length - games).toBeLessThanOrEqual(changing * (polls - 18))
    socket.terminate()
  })

  const query = (text: string) => (id: number) => ({
    id: String(id),
    type: 'subscribe',
    payload: { query: text },
  })

  test.each([
    ['queries', 60, query(`{ league { games(date: "${today}") { ${fields} } } }`), 50_000_000],
    ['pings', 300, () => ({ type: 'ping', payload: { text: 'x'.repeat(100_000) } }), 1_000_000],
  ])('is not read either: its %s heap up no answers, and are answered when it goes on', async (...row) => {
    const [, count, message, bound] = row
    const { socket, there, heard } = await connected()
    socket.pause()
    let most = 0
    for (let id = 0; id < count; id += 1) socket.send(JSON.stringify(message(id)))
    const measure = async () => {
      await turn()
      most = Math.max(most, there.bufferedAmount)
    }
    for (let turns = 0; turns < 1_000; turns += 1) await measure()
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(bound)
    socket.resume()
    const answers = () => heard.filter(({ type }) => type === 'next' || type === 'pong')
    while (answers().length < count) await measure()
    expect(most).toBeLessThan(bound)
    expect(new Set(answers().map((answer) => JSON.stringify(answer).length)).size).toBeLessThan(50)
    expect(living.graph.calls.take().length).toBeLessThanOrEqual(1)
    socket.terminate()
  })

  test('asks nothing more of the service once it is gone', async () => {
    const { socket } = await connected()
    let asked = 0
    let answer = () => {}
    const held = new Promise<void>((is) => (answer = is))
    living.between(async (_request, send) => {
      asked += 1
      await held
      return send()
    })
    const day = (at: number) => new Date(Date.UTC(2025, 10, at)).toISOString().slice(0, 10)
    for (let id = 1; id <= 100; id += 1)
      socket.send(JSON.stringify(query(`{ league { games(date: "${day(id)}") { gameId } } }`)(id)))
    await until(() => asked > 0)
    for (let turns = 0; turns < 200; turns += 1) await turn()
    socket.terminate()
    await new Promise((is) => socket.once('close', is))
    for (let turns = 0; turns < 50; turns += 1) await turn()
    answer()
    for (let turns = 0; turns < 200; turns += 1) await turn()
    // Those that had their turn, and none of those that waited for it.
    expect(asked).toBeLessThanOrEqual(32)
  })
})
