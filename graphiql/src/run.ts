import type { Answer, Call, Usage } from './graph.ts'
import { held } from './held.ts'
import { looksOf } from './looks.ts'
import type { Look } from './looks.ts'

export type Kind = 'query' | 'subscription'
export type State = 'running' | 'over' | 'stopped' | 'failed'

/** One run of a query or of a subscription, and its bill so far. */
export interface Run {
  readonly kind: Kind
  readonly state: State
  readonly began: Date
  /** Tokens that it was expected to cost; null where nobody could tell. */
  readonly expected: number | null
  /** The sum so far; null while no bill has come. */
  readonly usage: Usage | null
  /** The last ones. */
  readonly looks: readonly Look[]
  readonly events: number
}

/** Looks that are kept: a subscription may go on for hours. */
const mostLooks = 50

/** The last run of each tab. */
const runs = held<ReadonlyMap<string, Run>>(new Map())

/** What the panel knows of the run to come: the tab that is shown, and what a run of it is expected to cost. */
let next: { readonly tab: string; readonly expected: number | null } = { tab: '', expected: null }

export function prepare(tab: string, expected: number | null): void {
  next = { tab, expected }
}

export const shownTab = (): string => next.tab

export const useRun = (tab: string): Run | null => runs.use().get(tab) ?? null

/** Takes down what a run brings, for as long as it is the last of its tab. */
export interface Recorder {
  readonly tab: string
  tell(answer: Answer): void
  end(state: State): void
}

const untold = { state: 'running', usage: null, looks: [], events: 0 } as const

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
    tell: ({ extensions: { usage, plan = [] } = {} }) =>
      put({
        usage: usage ? sum(run.usage, usage) : run.usage,
        looks: [...run.looks, ...looksIn(plan, kind)].slice(-mostLooks),
        events: run.events + 1,
      }),
    end: (state) => put({ state }),
  }
}

/** Hours of looks that found all of it at hand are nothing to look at. */
const looksIn = (plan: readonly Call[], kind: Kind): readonly Look[] =>
  looksOf(plan).filter((look) => kind === 'query' || look.some(({ source }) => source !== 'MEMORY'))

const sum = (before: Usage | null, { tokens, bytes, calls, cacheHits, estimated }: Usage): Usage => ({
  tokens: tokens + (before?.tokens ?? 0),
  bytes: bytes + (before?.bytes ?? 0),
  calls: calls + (before?.calls ?? 0),
  cacheHits: cacheHits + (before?.cacheHits ?? 0),
  ...((estimated || before?.estimated) && { estimated: true }),
})
