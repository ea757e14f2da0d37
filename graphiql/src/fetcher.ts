import type { Fetcher } from '@graphiql/toolkit'
import type { ExecutionResult } from 'graphql'
import { ask, follow } from './graph.ts'
import type { Answer, Headers, Query } from './graph.ts'
import { refreshMonth } from './month.ts'
import { operationIn } from './operation.ts'
import { begin, shownTab } from './run.ts'
import type { Recorder } from './run.ts'

/** The answer as a program sees it: the plan is the panel's. */
function withoutPlan({ extensions, ...answer }: Answer): ExecutionResult {
  const { plan: _plan, ...rest } = extensions ?? {}
  return { ...answer, ...(extensions && { extensions: rest }) } as ExecutionResult // as GraphiQL calls an answer
}

const failure = (message: string): Answer => ({ errors: [{ message }] })
const unreachable = () => failure('The graph cannot be reached.')

async function answer(query: Query, headers: Headers): Promise<ExecutionResult> {
  const run = begin('query')
  const told = await ask(query, { headers, explain: true }).catch(unreachable)
  run.tell(told)
  run.end('over')
  refreshMonth()
  // GraphiQL would show it in whatever tab is open by now.
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

/** What ends the subscription that is under way: GraphiQL shows one at a time. */
let leaving = new AbortController()

/** The events of a subscription, until it is left: which ends the request at once, where a generator would first wait for its next event. */
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

/** Runs what GraphiQL asks for and takes down its bill. The schema is read without one. */
export const fetcher: Fetcher = (asked, options) => {
  const headers = (options?.headers ?? {}) as Headers // GraphiQL passes what the headers editor holds
  if (asked.operationName === 'IntrospectionQuery')
    return ask(asked, { headers }).catch(unreachable) as ReturnType<Fetcher> // as `withoutPlan` does
  leaving.abort()
  const operation = operationIn(asked.query, asked.operationName)
  const query = { ...asked, operationName: operation?.operationName }
  return operation?.kind === 'subscription' ? subscribe(query, headers) : answer(query, headers)
}
