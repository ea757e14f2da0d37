import { messagesOf } from '../../src/client/events.ts'

export interface Query {
  readonly query: string
  readonly variables?: unknown
  readonly operationName?: string | null | undefined
}

export type Headers = Readonly<Record<string, string>>

/** One line of `extensions.plan`. */
export interface Call {
  readonly operation: string
  readonly ids: number
  readonly bytes: number
  readonly tokens: number
  readonly ms: number
  /** Milliseconds since the start of the request. */
  readonly at: number
  readonly source: string
  readonly field: string
}

export interface Usage {
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
  readonly cacheHits: number
  /** Whether some of the tokens are estimated from bytes. */
  readonly estimated?: true
}

export interface Span {
  readonly from: number
  /** Null if only the least is known. */
  readonly to: number | null
}

export interface Estimate {
  readonly tokens: Span
  readonly bytes: Span
  readonly calls: Span
}

/** `Query.usage`: the month so far. */
export interface Month {
  readonly month: string
  readonly tokens: number
  readonly budget: number | null
  readonly remaining: number | null
}

export interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string }[]
  readonly extensions?: {
    readonly plan?: readonly Call[]
    readonly usage?: Usage
    readonly estimate?: Estimate
    readonly stale?: Stale
  }
}

/** Rows of an answer that had expired. */
export interface Stale {
  readonly rows: number
  /** The age of the oldest. */
  readonly seconds: number
}

interface Asking {
  readonly headers: Headers
  /** `true` adds the plan to the answer; `dry` sends the plan alone. */
  readonly explain?: true | 'dry'
  readonly signal?: AbortSignal
}

// Not `application/graphql-response+json`: its status 400 for an unfinished query would be logged as a page
// error.
const accepted = { answer: 'application/json', events: 'text/event-stream' }

function send(query: Query, { headers, explain, signal }: Asking, accept: string): Promise<Response> {
  return fetch('/graphql', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept },
    body: JSON.stringify({ ...query, ...(explain && { extensions: { explain } }) }),
    signal: signal ?? null,
  })
}

async function answerIn(response: Response): Promise<Answer> {
  try {
    return (await response.json()) as Answer // the graph's answers have this shape
  } catch {
    return { errors: [{ message: `The answer is not GraphQL: status ${response.status}.` }] }
  }
}

/** Runs a query. Throws if the graph cannot be reached or `signal` is aborted. */
export async function ask(query: Query, asking: Asking): Promise<Answer> {
  return answerIn(await send(query, asking, accepted.answer))
}

/** The events of a subscription. Throws like `ask`, and if the stream breaks. */
export async function* follow(query: Query, asking: Asking): AsyncGenerator<Answer> {
  const response = await send(query, asking, accepted.events)
  const isStream = response.headers.get('content-type')?.startsWith(accepted.events)
  if (!response.body || !isStream) return yield await answerIn(response) // refused
  for await (const { event, data } of messagesOf(response.body))
    if (event === 'next') yield JSON.parse(data) as Answer // one answer an event
}
