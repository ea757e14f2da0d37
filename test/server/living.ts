import { setTimeout as wait } from 'node:timers/promises'
import { vi } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import type { Billed, ServerOptions } from '../../src/server/app.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import type { Usage } from '../../src/account/plan-entry.ts'
import type { Incoming, Outgoing } from '../../src/wire/transport.ts'
import { basketball, today } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'
import { endless } from './endless.ts'

export interface Event {
  readonly data?: { readonly scores: Readonly<Record<string, unknown>> } | null
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
  readonly extensions: {
    readonly usage: Usage
    readonly live: { readonly complete: boolean; readonly left: readonly string[] }
    readonly stale?: { readonly rows: number; readonly seconds: number }
  }
}

/** A subscriber over server-sent events. */
export interface Subscriber {
  readonly requestId: string | null
  readonly events: readonly Event[]
  /** Whether the server has said that there is no more to come. */
  readonly isComplete: () => boolean
  /** Whether nothing more comes, said or not. */
  readonly isOver: () => boolean
  /** Goes away, as a browser does whose page is closed. */
  leave(): void
}

export interface Living {
  readonly url: string
  readonly graph: Graph
  /** Gives the home team of every game that is not over so many points. */
  score(points: number): void
  /** What stands between the graph and the service. */
  between(pass: (request: Outgoing, send: () => Promise<Incoming>) => Promise<Incoming>): void
  /** Lets time go by. */
  pass(ms: number): Promise<void>
  subscribe(
    query?: string,
    headers?: Record<string, string>,
    variables?: Readonly<Record<string, unknown>>,
  ): Promise<Subscriber>
  query(query: string, headers?: Record<string, string>): Promise<Response>
  /** Closes the port and disposes of the app, as a signal does. */
  close(): Promise<void>
}

export const scores = `subscription Live { scores(date: "${today}") { gameId homeScore } }`

/** Statline on a port, over a day of the sample league. A test decides how its games go on. */
export async function startLiving(
  sample: Sample,
  options: ServerOptions & Partial<Pick<Billed, 'apiKey' | 'executionLimits'>> = {},
): Promise<Living> {
  let now = sampleNow
  let points: number | null = null
  let pass: Parameters<Living['between']>[0] = (_request, send) => send()
  const graph = sample.graph({
    clock: () => now,
    between: (request, service) => pass(request, async () => scored(await service(request), points)),
  })
  const app = createApp({
    upstream: graph.upstream,
    apiKey: 'sample-paid',
    defaults: basketball,
    longestWaitMs: 600_000,
    ...options,
  })
  const server = await listen(compressed(app), '127.0.0.1', 0, endless)
  const url = `${server.url}/graphql`
  const post = (query: string, headers: Record<string, string>, signal?: AbortSignal, variables?: object) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
      ...(signal && { signal }),
    })
  return {
    url: server.url,
    graph,
    score: (to) => void (points = to),
    between: (between) => void (pass = between),
    async pass(ms) {
      await wait(50) // what is under way comes to where it waits
      now += ms
      await vi.advanceTimersByTimeAsync(ms)
    },
    async subscribe(query = scores, headers = {}, variables = undefined) {
      const gone = new AbortController()
      const response = await post(query, { accept: 'text/event-stream', ...headers }, gone.signal, variables)
      const events: Event[] = []
      let [isComplete, isOver] = [false, false]
      void read(response, events).then((is) => ([isComplete, isOver] = [is, true]))
      const requestId = response.headers.get('x-request-id')
      return {
        requestId,
        events,
        isComplete: () => isComplete,
        isOver: () => isOver,
        leave: () => gone.abort(),
      }
    },
    query: (query, headers = {}) => post(query, headers),
    async close() {
      await server.close()
      await app.dispose()
    },
  }
}

/** A service’s answer in which all games that are not over are being played, with so many points. */
function scored(answer: Incoming, points: number | null): Incoming {
  const rows = JSON.parse(answer.body) as Record<string, { home_score?: number | null; status?: string }>
  for (const row of Object.values(rows)) {
    if (!row.status || row.status === 'final') continue
    row.status = 'in_progress'
    if (points !== null) row.home_score = points
  }
  return { ...answer, body: JSON.stringify(rows) }
}

/** Reads events until there are no more; whether the server said so. */
async function read({ body }: Response, events: Event[]): Promise<boolean> {
  let text = ''
  try {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (text + chunk).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        if (part.includes('event: complete')) return true
        const data = part.split('\n').find((line) => line.startsWith('data: {'))
        if (data) events.push(JSON.parse(data.slice(6)) as Event)
      }
    }
  } catch {
    // The subscriber has left.
  }
  return false
}
