import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { defaultLongestWaitMs, withShedding, Workload } from '../../src/server/overload.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // on TCP
}

/** A process whose work is told, not measured. */
function told() {
  const worked = { active: 0, idle: 0 }
  const workload = new Workload(() => ({ ...worked }))
  const pass = (active: number, idle: number) => {
    worked.active += active
    worked.idle += idle
  }
  return { workload, pass }
}

/** Answers `count` requests, and leaves `underway` of them unanswered. */
function answer(workload: Workload, count: number, underway: number): void {
  for (let nth = 0; nth < count + underway; nth += 1) workload.begin()
  for (let nth = 0; nth < count; nth += 1) workload.end()
}

describe('how late an answer would be', () => {
  test('is the work of all requests under way, by what an answer took lately', () => {
    const { workload, pass } = told()
    answer(workload, 100, 50)
    pass(1_000, 0)
    expect(workload.waitMs).toBe(500)
    answer(workload, 200, 0)
    pass(1_000, 50)
    expect(workload.waitMs).toBe(250)
  })

  test('is nothing while the process has time left, however many wait for the service', () => {
    const { workload, pass } = told()
    answer(workload, 100, 5_000)
    pass(500, 500)
    expect(workload.waitMs).toBe(0)
  })

  test('is what it was while nothing new is known', () => {
    const { workload, pass } = told()
    answer(workload, 100, 50)
    pass(1_000, 0)
    expect(workload.waitMs).toBe(500)
    pass(100, 0)
    expect(workload.waitMs).toBe(500)
    pass(1_000, 0)
    expect(workload.waitMs).toBe(500)
    pass(0, 1_000)
    expect(workload.waitMs).toBe(0)
  })

  test('is not told by one answer that other work came before', () => {
    const { workload, pass } = told()
    answer(workload, 1, 50)
    pass(1_000, 0)
    expect(workload.waitMs).toBe(0)
    answer(workload, 99, 0)
    pass(1_000, 0)
    expect(workload.waitMs).toBe(50 * 20)
  })

  test('is not told by what the process did while it had time left', () => {
    const { workload, pass } = told()
    answer(workload, 10, 50)
    pass(30_000, 3_600_000)
    expect(workload.waitMs).toBe(0)
    pass(1_000, 0)
    expect(workload.waitMs).toBe(0)
    answer(workload, 100, 0)
    pass(1_000, 0)
    expect(workload.waitMs).toBe(50 * 20)
  })
})

describe('a query that would be answered too late', () => {
  test('is refused at once, and answered when there is time again', async () => {
    const { workload, pass } = told()
    const waiting: ServerResponse[] = []
    let shed = 0
    const listener: RequestListener = (_request, response) => void waiting.push(response)
    const url = await serve(withShedding(listener, 1_000, () => (shed += 1), workload))
    answer(workload, 10, 11)
    pass(1_000, 0)
    const refused = await fetch(`${url}/graphql`, { method: 'POST', body: '{"query":"{ a }"}' })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(await refused.json()).toEqual({
      errors: [{ message: expect.any(String), extensions: { code: 'OVERLOADED' } }],
    })
    expect([shed, waiting.length]).toEqual([1, 0])
    for (let nth = 0; nth < 11; nth += 1) workload.end()
    const answered = fetch(`${url}/graphql`, { method: 'POST', body: '{"query":"{ a }"}' })
    await expect.poll(() => waiting.length).toBe(1)
    waiting[0]?.end('answer')
    expect(await (await answered).text()).toBe('answer')
  })

  test.each([
    ['refused', 26, 503],
    ['answered', 24, 200],
  ])('while 200 connections wait is %s where an answer takes %i ms of work', async (_what, ms, status) => {
    const { workload, pass } = told()
    const waiting: ServerResponse[] = []
    const listener: RequestListener = (_request, response) => {
      if (waiting.length < 200) waiting.push(response)
      else response.end('answer')
    }
    const url = await serve(withShedding(listener, defaultLongestWaitMs, () => {}, workload))
    const agent = new Agent({ keepAlive: true, maxSockets: 201 })
    const ask = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request(`${url}/graphql`, { method: 'POST', agent }, resolve)
        sent.on('error', reject).end('{"query":"{ a }"}')
      })
    const asked = Array.from({ length: 200 }, ask)
    await expect.poll(() => waiting.length).toBe(200)
    answer(workload, 100, 0)
    pass(100 * ms, 0)
    const { statusCode, headers } = await ask()
    expect(statusCode).toBe(status)
    expect(headers['retry-after']).toBe(status === 503 ? '1' : undefined)
    for (const response of waiting) response.end('answer')
    expect(new Set((await Promise.all(asked)).map((response) => response.statusCode))).toEqual(new Set([200]))
    agent.destroy()
  })

  test('does not take probes and streams of events with it', async () => {
    const { workload, pass } = told()
    const url = await serve(
      withShedding(
        (_request, response) => void response.end('on'),
        0,
        () => {},
        workload,
      ),
    )
    answer(workload, 10, 10)
    pass(1_000, 0)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    expect((await fetch(`${url}/graphql`, { headers: { accept: 'text/event-stream' } })).status).toBe(200)
    expect((await fetch(`${url}/graphql`)).status).toBe(503)
  })
})
