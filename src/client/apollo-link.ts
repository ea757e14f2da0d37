import { ApolloLink } from '@apollo/client/link'
import { Observable } from '@apollo/client/utilities'
import { Client } from './client.ts'
import type { ClientOptions } from './client.ts'
import { follow } from './live-store.ts'
import type { Listener } from './live-store.ts'
import { tellOpen } from './open-streams.ts'
import { stateIn, tellState } from './stream-states.ts'

type Events = Observable<ApolloLink.Result>

/** The name of its stream, which a hook adds. */
const streamIn = (operation: ApolloLink.Operation) => String(operation.getContext()['stream'])

/**
 * Runs Statline’s subscriptions over server-sent events, which an `HttpLink` cannot. Put it before your own
 * link, which gets everything else. A broken connection is opened again; until then the result has an error.
 */
export class LiveLink extends ApolloLink {
  readonly #client: Client

  constructor(options?: ClientOptions) {
    super()
    this.#client = new Client(options)
  }

  override request(operation: ApolloLink.Operation, forward: ApolloLink.ForwardFunction): Events {
    if (operation.operationType !== 'subscription') return forward(operation)
    const { variables } = operation
    const query: object = operation.query // a document without types
    return new Observable((observer) => {
      const gone = new AbortController()
      const tell = (result: object) => observer.next(result as ApolloLink.Result) // in the graph's own shape
      let events: readonly object[] = []
      const listener: Listener<object> = {
        hear({ data, errors, usage, stale, live }, arrivals) {
          if (data) events = arrivals.add(events, data, live)
          tellState(operation.client, streamIn(operation), stateIn(arrivals, events, errors))
          const extensions = { usage, ...(stale && { stale }), ...(live && { live }) }
          tell({ data, ...(errors.length > 0 && { errors }), extensions })
        },
        fail: ({ message }) => tell({ errors: [{ message }] }),
        sign: () => tellOpen(streamIn(operation)),
      }
      const open = (signal: AbortSignal, onSign: () => void) =>
        this.#client.subscribe<object, unknown>(query, variables, { signal, onSign })
      void follow(open, gone.signal, listener).then(() => observer.complete())
      return () => gone.abort()
    })
  }
}
