import type { Call, Estimate, Month, Usage } from './bill.ts'

export interface Query {
  readonly query: string
  readonly variables?: unknown
  readonly operationName?: string | null | undefined
}

export type Headers = Readonly<Record<string, string>>

interface Extensions {
  readonly plan?: readonly Call[]
  readonly usage?: Usage
  readonly estimate?: Omit<Estimate, 'usual'>
}

export interface Answer {
  readonly data?: unknown
  readonly errors?: readonly unknown[]
  readonly extensions?: Extensions
}

const graph = '/graphql'

const send = (query: Query, explain: true | 'dry' | undefined, headers: Headers, accept: string) =>
  fetch(graph, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept },
    body: JSON.stringify({ ...query, ...(explain && { extensions: { explain } }) }),
  })

/** Runs a query; with `explain`, its plan comes with the answer, or with `dry` instead of it. */
export async function ask(
  query: Query,
  explain: true | 'dry' | undefined,
  headers: Headers,
): Promise<Answer> {
  // Not `application/graphql-response+json`: a query that is being typed is no failure of the page, which a status 400 would be.
  const response = await send(query, explain, headers, 'application/json')
  return (await response.json()) as Answer // the graph's answers have this shape
}

/** The answers of a subscription, as server-sent events. */
export async function* follow(query: Query, headers: Headers): AsyncGenerator<Answer> {
  const response = await send(query, undefined, headers, 'text/event-stream')
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield (await response.json()) as Answer // refused: one answer, of the same shape
    return
  }
  let buffer = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (buffer + part.value).split('\n\n')
      buffer = events.pop() ?? ''
      for (const event of events) {
        const data = /^data: (.+)$/m.exec(event)?.[1]
        if (data) yield JSON.parse(data) as Answer // one answer an event
      }
    }
  } finally {
    await reader.cancel()
  }
}

/** The month so far; costs nothing. */
export async function monthOf(headers: Headers): Promise<Month | null> {
  const { data } = await ask({ query: '{ usage { month tokens budget remaining } }' }, undefined, headers)
  return (data as { usage?: Month } | null)?.usage ?? null // what the query above asks for
}
