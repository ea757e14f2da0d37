import { setTimeout as wait } from 'node:timers/promises'
import { createSourceEventStream } from 'graphql'
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { OverLimitError } from '../graph/execution/budget.ts'
import type { ExecutionContext } from '../graph/execution/context.ts'
import { giveWay } from '../graph/execution/give-way.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { CodedError, NotInRowsError } from '../errors/errors.ts'
import { dryRunOf } from '../calls/dry-run/dry-run.ts'
import { DryWork } from '../account/dry-work.ts'
import { ClientRequest } from '../account/client-request.ts'
import type { PlanEntry, Usage } from '../account/plan-entry.ts'
import type { Level } from '../account/estimates.ts'
import { namesIn } from './dry-names.ts'
import { mapped } from './mapped-stream.ts'

interface Span {
  readonly from: number
  /** Null if the dry run was cut off, so that only the least is known. */
  readonly to: number | null
}

/** The expected cost of a query. */
export interface Estimate {
  readonly tokens: Span
  readonly bytes: Span
  readonly calls: Span
}

/**
 * Milliseconds to wait for the first event of a subscription's dry run: a day without games has none. They are counted
 * in steps, so that a moment in which this process did not run counts as one step.
 */
const longestEvent = 500
const steps = 10

/** Answers a request with `explain: "dry"` with its plan and expected cost, and spends nothing. */
export function useDryRun(run: Run): Plugin<YogaInitialContext & ExecutionContext> {
  return {
    onExecute({ args, setExecuteFn }) {
      if (args.contextValue.params?.extensions?.['explain'] !== 'dry') return
      setExecuteFn(() => dryRun(args, run))
    },
    onSubscribe({ args, setSubscribeFn }) {
      if (args.contextValue.params?.extensions?.['explain'] !== 'dry') return
      setSubscribeFn(() => dryRun(args, firstEvent(run)))
    },
  }
}

type Args = ExecutionArgs & { contextValue: ExecutionContext }

/** Runs an operation. Nobody reads its data. */
export type Run = (args: Args) => MaybePromise<ExecutionResult>

/** Calls after which a dry run is cut off, unless a request may make more. */
const mostCalls = 1_000
/** Rows after which it makes no further call. A season of transfers, with players and teams, has fewer. */
const mostRows = 20_000

/** Runs a subscription until its first event is executed, or until the wait is over. */
export const firstEvent =
  (run: Run) =>
  async (args: Args): Promise<ExecutionResult> => {
    const source = await createSourceEventStream(args)
    if (!(Symbol.asyncIterator in source)) return source
    const events = mapped(source, (rootValue) => run({ ...args, rootValue }))
    const waiting = new AbortController()
    const moment = waitInSteps(waiting.signal).catch(() => {})
    const first = await Promise.race([events.next(), moment])
    waiting.abort()
    await events.return?.()
    return first?.value ?? { data: null }
  }

async function waitInSteps(signal: AbortSignal): Promise<void> {
  for (let step = 0; step < steps; step += 1) await wait(longestEvent / steps, undefined, { signal })
}

async function dryRun(args: Args, run: Run): Promise<ExecutionResult> {
  const { estimate, least } = await estimated(args, run)
  const { client, result } = isRefused(least.result) ? least : await planAt(args, 'usual', run)
  const plan = client.plan.map((line): PlanEntry => ({ ...line, ms: 0, at: 0 }))
  const errors = faultsOf(result)
  return { data: null, ...(errors.length > 0 && { errors }), extensions: { plan, estimate } }
}

/** Whether the execution exceeds its budget. With more rows it would, too. */
const isRefused = ({ errors = [] }: ExecutionResult): boolean =>
  errors.some(({ originalError, path }) => !path && originalError instanceof OverLimitError)

/** The expected cost of a query. What other instances have bought costs nothing. */
export const estimateOf = async (args: Args, run: Run): Promise<Estimate> =>
  (await estimated(args, run)).estimate

async function estimated(args: Args, run: Run) {
  await args.contextValue.clientRequest.account.store?.sharing?.take([])
  // One after the other, so that only the rows of one are in memory.
  const least = await planAt(args, 'least', run)
  const most = isRefused(least.result) ? null : await planAt(args, 'most', run)
  const from = least.client.usage
  const to = most?.isWhole ? most.client.usage : null
  const span = (figure: keyof Cost): Span => ({ from: from[figure], to: to && to[figure] })
  const estimate: Estimate = { tokens: span('tokens'), bytes: span('bytes'), calls: span('calls') }
  return { estimate, least }
}

type Cost = Pick<Usage, 'tokens' | 'bytes' | 'calls'>

/** The bill of a query if every answer has the expected size, and whether that is its whole bill. */
export async function planAt(args: Args, level: Level, run: Run) {
  // Each run begins in a turn of its own, so that it stops others for no longer than a query.
  await new Promise<void>(giveWay)
  const { account, caller, allowance } = args.contextValue.clientRequest
  // One more than is allowed, so that a query that needs it is refused.
  const calls = 1 + Math.max(mostCalls, allowance.limits.maxCalls ?? 0)
  const work = new DryWork(level, { calls, rows: mostRows })
  const names = namesIn(args.document, args.variableValues)
  const clientRequest = new ClientRequest(dryRunOf(account, level, names, work), caller)
  const cutOff = work.cutOff.then((): ExecutionResult => ({ data: null }))
  const budget = args.contextValue.budget.again()
  const result = await Promise.race([
    run({ ...args, contextValue: { ...args.contextValue, clientRequest, budget, times: undefined } }),
    cutOff,
  ])
  return { client: clientRequest, result, isWhole: !work.isCutOff }
}

/**
 * Errors of the query itself, such as a missing key, which would also fail a real run. Those without a path
 * concern the whole query. Errors caused by made-up rows are left out.
 */
export function faultsOf({ data, errors = [] }: ExecutionResult): readonly GraphQLError[] {
  const isOwn = (error: unknown) => error instanceof CodedError && !(error instanceof NotInRowsError)
  return errors.filter(({ originalError, path }) => data === undefined || !path || isOwn(originalError))
}
