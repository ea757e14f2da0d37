import type { Call } from './graph.ts'

/** Calls that were made together, in the order in which they were sent. */
export type Poll = readonly Call[]

/** Milliseconds between two calls of different polls, at least. */
const pause = 900

/**
 * Groups calls by poll. One event of a subscription may report several polls: those before it brought nothing
 * new.
 */
export function pollsOf(plan: readonly Call[]): readonly Poll[] {
  const polls: Call[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const call of plan.toSorted((one, other) => one.at - other.at)) {
    if (call.at - end > pause) polls.push([])
    polls.at(-1)?.push(call)
    end = Math.max(end, call.at + call.ms)
  }
  return polls
}
