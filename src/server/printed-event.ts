import type { ExecutionResult } from 'graphql'

/** The data of events as JSON, made once for all subscribers. */
const printed = new WeakMap<object, string>()

/**
 * An event as JSON. Its subscribers share the text of its data; bill and errors are each subscriber's own.
 */
export function printedEvent({ data, ...others }: ExecutionResult): string {
  if (!data) return JSON.stringify({ ...others, data })
  let text = printed.get(data)
  if (text === undefined) printed.set(data, (text = JSON.stringify(data)))
  const rest = JSON.stringify(others)
  return rest === '{}' ? `{"data":${text}}` : `{"data":${text},${rest.slice(1)}`
}
