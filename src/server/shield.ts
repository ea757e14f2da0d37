import type { Plugin } from 'graphql-yoga'
import { report } from './report.ts'

/**
 * A plugin of which no failure reaches a client. Yoga masks errors of GraphQL's own steps, but answers one that `onRequest`, `onResponse` or
 * `onResultProcess` throws with its stack. Here the first is answered without a word, since what it decides is not known; the other two come
 * after the query was paid for, so the answer goes out without what they would have added.
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

/** Runs at once, as a plugin does; what fails is printed, and then answered by `instead`. */
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
