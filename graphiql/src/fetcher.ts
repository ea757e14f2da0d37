import type { Fetcher } from '@graphiql/toolkit'
import type { ExecutionResult } from 'graphql'
import { ask, follow } from './graph.ts'
import type { Answer, Headers, Query } from './graph.ts'
import { refreshMonth } from './month.ts'
import { operationIn } from './operation.ts'
import { begin, shownTab } from './run.ts'
import type { Recorder } from './run.ts'

/** The answer as a program sees it, without the plan, which the panel shows. */
function withoutPlan({ extensions, ...answer }: Answer): ExecutionResult {
  const { plan: _plan, ...rest } = extensions ?? {}
  return { ...answer, ...(extensions && { extensions: rest }) } as ExecutionResult // GraphiQL's name for an answer
}

const failure = (message: string): Answer => ({ errors: [{ message }] })
const unreachable = () => failure('The graph cannot be reached.')

async function answer(query: Query, headers: Headers): Promise<ExecutionResult> {
  const run = begin('query')
  const told = await ask(query, { headers, explain: true }).catch(unreachable)
  run.tell(told)
  run.end('over')
  refreshMonth()
  // GraphiQL would show it in the tab that is open now.
  return run.tab === shownTab() ? withoutPlan(told) : new Promise(() => {})
}

async function* events(query: Query, headers: Headers, run: Recorder, signal: AbortSignal) {
  try {
    for await (const told of follow(query, { headers, explain: true, signal })) {
      run.tell(told)
      if (told.extensions?.usage?.calls) refreshMonth()
      yield withoutPlan(told)
    }
    run.end('over')
  } catch {
    run.end(signal.aborted ? 'stopped' : 'failed')
    if (!signal.aborted) yield withoutPlan(failure('The connection to the graph is lost.'))
  }
  refreshMonth()
}

/** Ends the running subscription: GraphiQL shows one at a time. */
let leaving = new AbortController()

/**
 * The events of a subscription. Leaving it ends the request at once; a generator would first wait for an
 * event.
 */
function subscribe(query: Query, headers: Headers): AsyncIterable<ExecutionResult> {
  const left = (leaving = new AbortController())
  const told = events(query, headers, begin('subscription'), left.signal)
  const iterator: AsyncIterator<ExecutionResult> = {
    next: () => told.next(),
    async return() {
      left.abort()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

/** Runs GraphiQL's requests and records their bills. The introspection query has none. */
export const fetcher: Fetcher = (asked, options) => {
  const headers = (options?.headers ?? {}) as Headers // the headers editor's content
  if (asked.operationName === 'IntrospectionQuery')
    return ask(asked, { headers }).catch(unreachable) as ReturnType<Fetcher> // as `withoutPlan` does
  leaving.abort()
  const operation = operationIn(asked.query, asked.operationName)
  const query = { ...asked, operationName: operation?.operationName }
  return operation?.kind === 'subscription' ? subscribe(query, headers) : answer(query, headers)
}
