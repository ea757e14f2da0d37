import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { until } from '../client/living.ts'
import { startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { scores, startLiving } from './living.ts'
import type { Living } from './living.ts'

let sample: Sample
let living: Living

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  living = await startLiving(sample)
})
afterEach(async () => {
  vi.useRealTimers()
  await living.close()
})

const between = 12_000

describe('a stream of events shows a heartbeat every twelve seconds', () => {
  /** What a subscription has sent so far. */
  async function stream() {
    const response = await fetch(`${living.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: scores }),
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const ended = (async () => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        text += part.value
    })()
    ended.catch(() => {}) // cut when the server closes
    return {
      beats: () => text.match(/^:/gm)?.length ?? 0,
      events: () => text.match(/^data: \{/gm)?.length ?? 0,
      leave: async () => {
        await reader?.cancel()
        await ended
      },
    }
  }

  test('the first of its document, and the next ones', async () => {
    const first = await stream()
    await until(() => first.events() > 0)
    const next = await stream()
    await until(() => next.events() > 0)
    const before = next.beats()
    const early = first.beats()
    for (let beat = 1; beat <= 3; beat += 1) {
      await vi.advanceTimersByTimeAsync(between)
      // Yoga's own beats come more often under a test.
      await until(() => next.beats() === before + beat && first.beats() >= early + beat)
    }
    await first.leave()
    await next.leave()
  })
})

describe('over WebSocket', () => {
  /** A subscriber that answers pings, or does not. */
  async function subscriber(autoPong: boolean) {
    const socket = new WebSocket(`${living.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      autoPong,
    })
    const seen = { pings: 0, events: 0, code: null as number | null }
    socket.on('ping', () => (seen.pings += 1))
    socket.on('close', (code) => (seen.code = code))
    socket.on('error', () => {})
    socket.on('message', (message) => {
      const { type } = JSON.parse(String(message)) as { type: string }
      if (type === 'next') seen.events += 1
      if (type === 'connection_ack')
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: scores } }))
    })
    await new Promise((opened) => socket.once('open', opened))
    socket.send(JSON.stringify({ type: 'connection_init' }))
    await until(() => seen.events > 0)
    return { seen, close: () => socket.terminate() }
  }

  test('a client that answers pings stays, and one that does not is cut off and polls no more', async () => {
    const [here, gone] = [await subscriber(true), await subscriber(false)]
    for (let beat = 1; beat <= 3; beat += 1) {
      await vi.advanceTimersByTimeAsync(between)
      await until(() => here.seen.pings === beat)
      // Its answer has to be read before the next ping.
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    }
    await until(() => gone.seen.code !== null)
    expect(gone.seen.code).toBe(1006)
    expect(here.seen.code).toBeNull()
    here.close()
    const metrics = async () => (await fetch(`${living.url}/metrics`)).text()
    await expect.poll(metrics).toMatch(/^statline_subscriptions_active 0$/m)
    const { calls } = living.graph
    calls.take()
    await living.pass(60_000)
    expect(calls.take()).toEqual([])
  })
})
