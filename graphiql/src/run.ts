import type { Answer, Call, Stale, Usage } from './graph.ts'
import { held } from './held.ts'
import { pollsOf } from './polls.ts'
import type { Poll } from './polls.ts'

export type Kind = 'query' | 'subscription'
export type State = 'running' | 'over' | 'stopped' | 'failed'

/** One run of a query or subscription, and its bill so far. */
export interface Run {
  readonly kind: Kind
  readonly state: State
  readonly began: Date
  /** The tokens expected before the run; null if unknown. */
  readonly expected: number | null
  /** The sum so far; null until a bill arrives. */
  readonly usage: Usage | null
  /** The latest ones. */
  readonly polls: readonly Poll[]
  readonly events: number
  /** The expired rows of the last answer; null if it had none. */
  readonly stale: Stale | null
  /** Why the last answer has no data; null if it has. */
  readonly fault: string | null
}

/** The maximum of polls kept, because a subscription may run for hours. */
const mostPolls = 50

/** The last run of each tab. */
const runs = held<ReadonlyMap<string, Run>>(new Map())

/** What the panel knows before a run: the current tab, and the expected cost. */
let next: { readonly tab: string; readonly expected: number | null } = { tab: '', expected: null }

export function prepare(tab: string, expected: number | null): void {
  next = { tab, expected }
}

export const shownTab = (): string => next.tab

export const useRun = (tab: string): Run | null => runs.use().get(tab) ?? null

/** Records a run's answers while it is the last run of its tab. */
export interface Recorder {
  readonly tab: string
  tell(answer: Answer): void
  end(state: State): void
}

const untold = { state: 'running', usage: null, polls: [], events: 0, stale: null, fault: null } as const

export function begin(kind: Kind): Recorder {
  const { tab, expected } = next
  let run: Run = { ...untold, kind, expected, began: new Date() }
  const keep = () => runs.set(new Map(runs.get()).set(tab, run))
  const put = (change: Partial<Run>) => {
    const isLast = runs.get().get(tab) === run
    run = { ...run, ...change }
    if (isLast) keep()
  }
  keep()
  return {
    tab,
    tell: ({ data = null, errors: [error] = [], extensions: { usage, plan = [], stale = null } = {} }) =>
      put({
        stale,
        fault: data === null ? (error?.message ?? null) : null,
        usage: usage ? sum(run.usage, usage) : run.usage,
        polls: [...run.polls, ...pollsIn(plan, kind)].slice(-mostPolls),
        events: run.events + 1,
      }),
    end: (state) => put({ state }),
  }
}

/** Leaves out a subscription's polls that made no call. */
const pollsIn = (plan: readonly Call[], kind: Kind): readonly Poll[] =>
  pollsOf(plan).filter((poll) => kind === 'query' || poll.some(({ source }) => source !== 'MEMORY'))

const sum = (before: Usage | null, { tokens, bytes, calls, cacheHits, estimated }: Usage): Usage => ({
  tokens: tokens + (before?.tokens ?? 0),
  bytes: bytes + (before?.bytes ?? 0),
  calls: calls + (before?.calls ?? 0),
  cacheHits: cacheHits + (before?.cacheHits ?? 0),
  ...((estimated || before?.estimated) && { estimated: true }),
})
