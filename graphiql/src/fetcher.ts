import type { Fetcher } from '@graphiql/toolkit'
import { getOperationAST, parse } from 'graphql'
import { show } from './bill.ts'
import { ask, follow, monthOf } from './graph.ts'
import type { Answer, Headers } from './graph.ts'

const isSubscription = (query: string, name: string | null | undefined) =>
  getOperationAST(parse(query), name)?.operation === 'subscription'

/** The answer as a program sees it: the plan is the panel's. */
function withoutPlan({ extensions, ...answer }: Answer): Answer {
  const { plan: _plan, ...rest } = extensions ?? {}
  return { ...answer, extensions: rest }
}

/** GraphiQL may still name the operation of the tab that was left: then the one there is is meant. */
function named<Q extends { readonly query: string; readonly operationName?: string | null | undefined }>(
  query: Q,
): Q {
  const isThere = getOperationAST(parse(query.query), query.operationName) !== null
  return isThere ? query : { ...query, operationName: undefined }
}

/** Runs what GraphiQL asks for and shows its bill. The schema is read without one. */
export const fetcher: Fetcher = (asked, options) => {
  const query = named(asked)
  const headers = (options?.headers ?? {}) as Headers // GraphiQL passes what the headers editor holds
  if (query.operationName === 'IntrospectionQuery')
    return ask(query, undefined, headers) as ReturnType<Fetcher>
  if (isSubscription(query.query, query.operationName)) return follow(query, headers) as ReturnType<Fetcher>
  return run(query, headers) as ReturnType<Fetcher>
}

async function run(query: Parameters<Fetcher>[0], headers: Headers): Promise<Answer> {
  const answer = await ask(query, true, headers)
  const { plan = null, usage = null } = answer.extensions ?? {}
  show({ plan, usage })
  void monthOf(headers).then((month) => show({ month }))
  return withoutPlan(answer)
}
