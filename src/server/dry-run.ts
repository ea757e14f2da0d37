import { setTimeout as wait } from 'node:timers/promises'
import { execute, subscribe } from 'graphql'
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../graph/context.ts'
import { CodedError, NotInRowsError } from '../upstream/errors.ts'
import { dryRunOf } from '../upstream/dry-run.ts'
import { Request } from '../upstream/request.ts'
import type { PlanEntry } from '../upstream/plan-entry.ts'
import type { Level } from '../upstream/estimates.ts'
import { namesIn } from './dry-names.ts'
import type { ServerContext } from './server-context.ts'

interface Span {
  readonly from: number
  readonly to: number
}

/** The expected cost of a query. */
export interface Estimate {
  readonly tokens: Span
  readonly bytes: Span
  readonly calls: Span
}

/** Milliseconds to wait for the first event of a subscription's dry run: a day without games has none. */
const longestEvent = 500

/** Answers a request with `explain: "dry"` with its plan and expected cost, and spends nothing. */
export function useDryRun(): Plugin<ServerContext & Context> {
  return {
    onExecute({ args, setExecuteFn }) {
      if (args.contextValue.params?.extensions?.['explain'] !== 'dry') return
      setExecuteFn(() => dryRun(args, execute))
    },
    onSubscribe({ args, setSubscribeFn }) {
      if (args.contextValue.params?.extensions?.['explain'] !== 'dry') return
      setSubscribeFn(() => dryRun(args, firstEvent))
    },
  }
}

type Args = ExecutionArgs & { contextValue: Context }

export type Run = (args: Args) => ExecutionResult | Promise<ExecutionResult>

/** Runs a subscription until its first event, or until the wait is over. */
export async function firstEvent(args: Args): Promise<ExecutionResult> {
  const events = await subscribe(args)
  if (!(Symbol.asyncIterator in events)) return events
  const waiting = new AbortController()
  const moment = wait(longestEvent, undefined, { signal: waiting.signal }).catch(() => {})
  const first = await Promise.race([events.next(), moment])
  waiting.abort()
  await events.return?.(undefined)
  return first?.value ?? { data: null }
}

async function dryRun(args: Args, run: Run): Promise<ExecutionResult> {
  const { estimate, usual } = await estimateOf(args, run)
  const plan = usual.client.plan.map((line): PlanEntry => ({ ...line, ms: 0, at: 0 }))
  const errors = faultsOf(usual.result)
  return { data: null, ...(errors.length > 0 && { errors }), extensions: { plan, estimate } }
}

/**
 * The expected cost of a query, and the dry run of its usual cost. What other instances have bought costs
 * nothing.
 */
export async function estimateOf(args: Args, run: Run) {
  await args.contextValue.client.account.store?.sharing?.take([])
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

/** The bill of a query if every answer has the expected size. */
export async function planAt(args: Args, level: Level, run: Run) {
  const client = new Request(
    dryRunOf(args.contextValue.client.account, level, namesIn(args.document, args.variableValues)),
    args.contextValue.client.caller,
  )
  const result = await run({ ...args, contextValue: { ...args.contextValue, client } })
  return { client, result }
}

/**
 * Errors of the query itself, such as a missing key, which would also fail a real run. Those without a path
 * concern the whole query. Errors caused by made-up rows are left out.
 */
export function faultsOf({ data, errors = [] }: ExecutionResult): readonly GraphQLError[] {
  const isOwn = (error: unknown) => error instanceof CodedError && !(error instanceof NotInRowsError)
  return errors.filter(({ originalError, path }) => data === undefined || !path || isOwn(originalError))
}
