import type { Plugin } from 'graphql-yoga'
import { report } from './report.ts'

/**
 * Wraps a plugin so that its failures do not reach clients. Yoga masks errors of GraphQL's own steps, but if
 * `onRequest`, `onResponse` or `onResultProcess` throws, it answers with the stack. A failed `onRequest` is
 * answered with an empty error, because its decision is unknown. The other two run after the query was paid
 * for, so its answer is sent without their additions.
 */
export function shielded<Shielded extends object>(plugin: Shielded): Shielded {
  const { onRequest, onResponse, onResultProcess }: Plugin = plugin
  return {
    ...plugin,
    ...(onRequest && {
      onRequest: ((payload) => {
        const refuse = () => payload.endResponse(new payload.fetchAPI.Response(null, { status: 500 }))
        return attempt(() => onRequest(payload), refuse)
      }) satisfies Plugin['onRequest'],
    }),
    ...(onResponse && {
      onResponse: ((payload) => attempt(() => onResponse(payload))) satisfies Plugin['onResponse'],
    }),
    ...(onResultProcess && {
      onResultProcess: ((payload) =>
        attempt(() => onResultProcess(payload))) satisfies Plugin['onResultProcess'],
    }),
  }
}

/** Runs the hook. If it fails, the error is printed and `instead` is called. */
function attempt(run: () => void | Promise<void>, instead: () => void = () => {}): void | Promise<void> {
  const fail = (error: unknown) => {
    report(error)
    instead()
  }
  try {
    const result = run()
    return result instanceof Promise ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}
