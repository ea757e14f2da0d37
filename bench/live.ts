import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { date } from './live/day.ts'
import { table, tell } from './table.ts'

const counts = (process.env['LIVE_COUNTS'] ?? '1 100 10000').split(' ').map(Number)
const mostCount = Math.max(...counts)
/** Bytes that a subscriber may take. */
const mostBytes = 25_000
/** Polls that are listened to, and how many connections are opened at once. */
const [polls, atOnce] = [4, 100]
const [pollMs, longestMs] = [5_000, 120_000]

interface Used {
  readonly heap: number
  readonly rss: number
  readonly cpu: number
  readonly calls: number
  readonly points: readonly (readonly [point: number, at: number])[]
}

const query = `subscription { scores(date: "${date}") { gameId homeScore } }`

type Way = 'event stream' | 'WebSocket'

/** Connections that count what comes, and when each point came. */
class Crowd {
  begun = 0
  readonly arrivals: { readonly point: number; readonly at: number }[] = []
  readonly #url: URL
  readonly #way: Way
  readonly #ends: (() => void)[] = []

  constructor(url: string, way: Way) {
    this.#url = new URL(url)
    this.#way = way
  }

  async open(count: number): Promise<void> {
    for (let done = 0; done < count; done += atOnce) {
      for (let nth = done; nth < Math.min(done + atOnce, count); nth += 1)
        if (this.#way === 'WebSocket') this.#connect()
        else this.#subscribe()
      await until(() => this.begun >= Math.min(done + atOnce, count))
    }
  }

  close(): void {
    for (const end of this.#ends) end()
  }

  #subscribe(): void {
    const socket = connect(Number(this.#url.port), this.#url.hostname)
    const body = JSON.stringify({ query })
    socket.write(
      `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    const hear = this.#ear()
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => hear(chunk.toString('latin1')))
    this.#ends.push(() => socket.destroy())
  }

  #connect(): void {
    const socket = new WebSocket(`ws://${this.#url.host}/graphql`, 'graphql-transport-ws')
    const hear = this.#ear()
    socket.on('error', () => {})
    socket.on('open', () => socket.send('{"type":"connection_init"}'))
    socket.on('message', (message) => {
      const text = String(message)
      if (text.includes('connection_ack'))
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
      else hear(text)
    })
    this.#ends.push(() => socket.terminate())
  }

  /** Notes what one subscriber is told. */
  #ear(): (text: string) => void {
    let isBegun = false
    return (text) => {
      const at = performance.timeOrigin + performance.now()
      if (!isBegun && text.includes('"homeScore"')) {
        isBegun = true
        this.begun += 1
      }
      for (const [, point] of text.matchAll(/"homeScore":(\d+)/g))
        this.arrivals.push({ point: Number(point), at })
    }
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + longestMs
  while (!isSo()) {
    if (performance.now() > end) throw new Error('What was waited for did not come.')
    await wait(20)
  }
}

const told = <T>(child: ChildProcess) =>
  new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T))) // the server sends nothing else

async function measure(count: number, way: Way) {
  const script = new URL('./live/server.js', import.meta.url)
  const child = fork(script, { execArgv: ['--expose-gc'], env: { ...process.env, NODE_ENV: 'production' } })
  const { url } = await told<{ url: string }>(child)
  const used = () => {
    const answer = told<Used>(child)
    child.send('usage')
    return answer
  }
  const warm = new Crowd(url, way)
  await warm.open(Math.min(count, atOnce))
  warm.close()
  await wait(500)
  const before = await used()
  const crowd = new Crowd(url, way)
  await crowd.open(count)
  await wait(1_000)
  const opened = await used()
  crowd.arrivals.length = 0
  await wait(polls * pollMs)
  const after = await used()
  await wait(500)
  crowd.close()
  child.disconnect()
  const scored = new Map(after.points)
  const delays = crowd.arrivals
    .flatMap(({ point, at }) => at - (scored.get(point) ?? Number.NaN))
    .filter((ms) => ms >= 0)
  delays.sort((a, b) => a - b)
  const share = (part: number) => delays[Math.floor(part * (delays.length - 1))] ?? Number.NaN
  return {
    way,
    subscribers: count,
    calls: after.calls - opened.calls,
    bytesEach: (opened.heap - before.heap) / count,
    rssEach: (opened.rss - before.rss) / count,
    events: delays.length,
    cpuPerEvent: (after.cpu - opened.cpu) / Math.max(1, delays.length),
    median: share(0.5),
    late: share(0.99),
  }
}

/** Subscribers of one day: the calls that they cause together, and what each takes. */
export async function run(): Promise<boolean> {
  const rows = []
  const crowds = [
    ...counts.map((count) => [count, 'event stream'] as const),
    [mostCount, 'WebSocket'] as const,
  ]
  for (const [count, way] of crowds) {
    tell(`${count} subscribers, ${way}`)
    rows.push(await measure(count, way))
  }
  console.log(
    table(
      [
        'subscribers',
        'over',
        'calls',
        'heap each, kB',
        'rss each, kB',
        'events',
        'CPU per event, µs',
        'delay, ms',
        'p99, ms',
      ],
      rows.map((row) => [
        String(row.subscribers),
        row.way,
        String(row.calls),
        row.subscribers < 100 ? '' : (row.bytesEach / 1e3).toFixed(1),
        row.subscribers < 100 ? '' : (row.rssEach / 1e3).toFixed(1),
        String(row.events),
        row.cpuPerEvent.toFixed(0),
        row.median.toFixed(0),
        row.late.toFixed(0),
      ]),
    ),
  )
  const calls = rows.map((row) => row.calls)
  const isEqual = Math.max(...calls) - Math.min(...calls) <= 1 // a poll more or less falls into the time
  const most = Math.max(...rows.filter((row) => row.subscribers >= 10_000).map((row) => row.bytesEach))
  return isEqual && most <= mostBytes
}
