import { setTimeout as wait } from 'node:timers/promises'
import { execute, subscribe } from 'graphql'
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../graph/builder.ts'
import { CodedError } from '../upstream/errors.ts'
import { rehearsalOf } from '../upstream/rehearsal.ts'
import { Request } from '../upstream/request.ts'
import type { PlanEntry } from '../upstream/request.ts'
import type { Level } from '../upstream/estimates.ts'
import type { ServerContext } from './app.ts'

interface Span {
  readonly from: number
  readonly to: number
}

/** What a query is expected to cost. */
export interface Estimate {
  readonly tokens: Span
  readonly bytes: Span
  readonly calls: Span
}

/** How long a rehearsed subscription is waited for, in milliseconds: a day without games has no event. */
const longestEvent = 500

/** Answers a request with `explain: "dry"` with its plan and what it is expected to cost, and spends nothing. */
export function useRehearsal(): Plugin<ServerContext & Context> {
  return {
    onExecute({ args, setExecuteFn }) {
      if (args.contextValue.params?.extensions?.['explain'] !== 'dry') return
      setExecuteFn(() => rehearse(args, execute))
    },
    onSubscribe({ args, setSubscribeFn }) {
      if (args.contextValue.params?.extensions?.['explain'] !== 'dry') return
      setSubscribeFn(() => rehearse(args, firstEvent))
    },
  }
}

type Args = ExecutionArgs & { contextValue: Context }

export type Run = (args: Args) => ExecutionResult | Promise<ExecutionResult>

/** Runs a subscription as far as its first event, or for a moment where there is none. */
async function firstEvent(args: Args): Promise<ExecutionResult> {
  const events = await subscribe(args)
  if (!(Symbol.asyncIterator in events)) return events
  const waiting = new AbortController()
  const moment = wait(longestEvent, undefined, { signal: waiting.signal }).catch(() => {})
  const first = await Promise.race([events.next(), moment])
  waiting.abort()
  await events.return?.(undefined)
  return first?.value ?? { data: null }
}

async function rehearse(args: Args, run: Run): Promise<ExecutionResult> {
  const { estimate, usual } = await estimateOf(args, run)
  const plan = usual.client.plan.map((line): PlanEntry => ({ ...line, ms: 0, at: 0 }))
  const errors = faultsOf(usual.result)
  return { data: null, ...(errors.length > 0 && { errors }), extensions: { plan, estimate } }
}

/** What a query is expected to cost, and the dry run of its usual cost. */
export async function estimateOf(args: Args, run: Run) {
  const [least, usual, most] = await Promise.all([
    planAt(args, 'least', run),
    planAt(args, 'usual', run),
    planAt(args, 'most', run),
  ])
  const span = (figure: 'tokens' | 'bytes' | 'calls'): Span => ({
    from: least.client.usage[figure],
    to: most.client.usage[figure],
  })
  const estimate: Estimate = { tokens: span('tokens'), bytes: span('bytes'), calls: span('calls') }
  return { estimate, usual }
}

/** The bill of a query where every answer has the size that is expected of it. */
export async function planAt(args: Args, level: Level, run: Run) {
  const client = new Request(rehearsalOf(args.contextValue.client.world, level))
  const result = await run({ ...args, contextValue: { ...args.contextValue, client } })
  return { client, result }
}

/** What the query itself is at fault for, a key that is missing say: the same would fail in earnest. What made-up rows do not answer would not. */
function faultsOf({ data, errors = [] }: ExecutionResult): readonly GraphQLError[] {
  return errors.filter(({ originalError }) => data === undefined || originalError instanceof CodedError)
}
