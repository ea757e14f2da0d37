import type { Call } from './graph.ts'

/** Calls that were made together, in the order in which they were sent. */
export type Look = readonly Call[]

/** A subscription looks at the service again after a longer pause than this, in milliseconds. */
const pause = 900

/** What a subscription tells with one event may be of several looks: those that brought nothing new. */
export function looksOf(plan: readonly Call[]): readonly Look[] {
  const looks: Call[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const call of plan.toSorted((one, other) => one.at - other.at)) {
    if (call.at - end > pause) looks.push([])
    looks.at(-1)?.push(call)
    end = Math.max(end, call.at + call.ms)
  }
  return looks
}
