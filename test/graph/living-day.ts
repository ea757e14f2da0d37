import { vi } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { Deadline } from '../../src/wire/deadline.ts'
import type { Incoming, Transport } from '../../src/wire/transport.ts'
import { sampleNow } from '../sample.setup.ts'
import { basketball, graphOver, startSample } from './harness.ts'
import type { GraphOptions } from './harness.ts'

export type Rows = Record<
  string,
  {
    game_id: string
    status: string
    home_score: number | null
    start_timestamp: number
    start_date: string
    start_datetime: string
  }
>

/** The day's games as the service answers them. It is closed then: its connection would have timers among those of a test. */
export async function recordedDay(): Promise<Incoming> {
  const sample = await startSample()
  const day = await answerOf(sample.transport)
  await sample.close()
  return day
}

async function answerOf(transport: Transport): Promise<Incoming> {
  const { organization_id = '', division_id = '' } = basketball
  const path = `/game/getGames?organization_id=${organization_id}&division_id=${division_id}&start_date=2026-02-14`
  return transport({
    operation: {} as never, // the real transport sends the path alone
    arguments: {},
    method: 'GET',
    path,
    apiKey: 'sample-paid',
    deadline: new Deadline(60_000),
  })
}

/** A service with one day whose rows a test may change, and a clock that goes with the timers. */
export function livingDayOf(
  day: Incoming,
  { budget = null, clientBudgets }: Pick<GraphOptions, 'budget' | 'clientBudgets'> = {},
) {
  const rows = JSON.parse(day.body) as Rows
  const live = Object.values(rows).filter(
    ({ status, start_timestamp: start }) => status !== 'final' && start * 1000 < sampleNow,
  )
  let fails: boolean | number = false
  let rowsFail = false
  let line: ReturnType<typeof lineOf> | null = null
  const transport: Transport = async ({ path, arguments: values }) => {
    if (fails || (rowsFail && path.startsWith('/game/read')))
      return { status: typeof fails === 'number' ? fails : 503, headers: {}, body: '', bytes: 0 }
    const asked = values['game_id']
    const isOn = (id: string) => rows[id]?.start_date.startsWith(String(values['start_date'] ?? '')) === true
    const ids = asked === undefined ? Object.keys(rows).filter(isOn) : [asked].flat().map(String)
    const isScores = path.startsWith('/game/getScores')
    const entry = (id: string) =>
      isScores
        ? { ...rows[id], prediction: null, odds: { pre: null, live: line && { ...line, game_id: id } } }
        : rows[id]
    const body = JSON.stringify(
      path.startsWith('/odds/')
        ? line
          ? { [line.odds_id]: { ...line, game_id: ids[0] } }
          : {}
        : Object.fromEntries(ids.map((id) => [id, entry(id)])),
    )
    return { ...day, body, bytes: body.length }
  }
  const clock = () => sampleNow + (Date.now() - began)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const began = Date.now()
  // A pause before another try would be a timer too, and the test could not know when to pass it.
  const graph = graphOver(transport, {
    clock,
    budget,
    retryPauses: [],
    ...(clientBudgets && { clientBudgets }),
  })
  return {
    graph,
    live,
    rows,
    /** From now on, all calls fail, with this status or 503. */
    fail: (now: boolean | number) => (fails = now),
    /** From now on, reads of games by their ids fail. */
    failRows: (now: boolean) => void (rowsFail = now),
    /** Moves the live line of every game. */
    moveLine: (odds_id: string, over: number) => void (line = lineOf(odds_id, over)),
  }
}

const lineOf = (odds_id: string, over: number) => ({ odds_id, over, live: 1, current: 1 })

export interface Told {
  readonly usage: { readonly calls: number }
  readonly live: {
    readonly intervalSeconds: number | null
    readonly slowedBy?: number
    readonly complete: boolean
    readonly left: readonly string[]
  }
  readonly stale?: { readonly rows: number; readonly seconds: number }
  readonly plan?: readonly { readonly operation: string; readonly field: string }[]
  readonly estimate?: { readonly calls: { readonly from: number } }
}

/** Subscribes over server-sent events, like a browser. `take` returns the events since the last `take`. */
export async function subscribe(
  graph: ReturnType<typeof livingDayOf>['graph'],
  selection = 'gameId status homeScore',
  extensions: Record<string, unknown> = {},
  date = '2026-02-14',
  text = `scores(date: "${date}") { ${selection} }`,
  client = '',
) {
  const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball })
  const query = `subscription { ${text} }`
  const response = await app.fetch('http://statline.test/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'graphql-client-name': client,
    },
    body: JSON.stringify({ query, extensions }),
  })
  const reader = response.body?.getReader()
  const events: {
    data: Record<'scores' | 'game' | 'lines', Record<string, unknown>>
    errors?: readonly { readonly extensions: { readonly code: string } }[]
    extensions: Told
  }[] = []
  void read(reader, events)
  let taken = 0
  const take = async () => {
    await settle()
    const since = events.slice(taken)
    taken = events.length
    return since
  }
  return { take, end: () => reader?.cancel() }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array> | undefined, events: unknown[]) {
  let text = ''
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done) return
    const parts = (text + Buffer.from(value).toString()).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const data = part.split('\n').find((line) => line.startsWith('data: {'))
      if (data) events.push(JSON.parse(data.slice(6)))
    }
  }
}

/** Lets everything happen that is ready. */
export async function settle() {
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
