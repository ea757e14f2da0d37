import { createSourceEventStream, getOperationAST } from 'graphql'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { attributesOf } from '../graph/operation.ts'
import { recurring } from '../trace.ts'
import type { LiveEvent } from '../live/progress.ts'
import { executeUnpriced, faultsOfVariables } from './execution.ts'
import { groupOf, liveResult } from './live-results.ts'
import { mapped } from './mapped-stream.ts'
import { blamed } from './trace.ts'

type Stream = AsyncIterableIterator<ExecutionResult, undefined>

/** Subscribes, with a trace for each event. */
async function subscribe(args: ExecutionArgs): Promise<Stream | ExecutionResult> {
  const errors = faultsOfVariables(args)
  if (errors) return { errors }
  const source = await createSourceEventStream(args)
  if (!(Symbol.asyncIterator in source)) return source
  const operation = getOperationAST(args.document, args.operationName)
  const event = recurring('event', operation ? attributesOf(operation) : {})
  const group = groupOf(args)
  return mapped(source, (rootValue) =>
    event((span) =>
      blamed(
        span,
        isLive(rootValue) ? liveResult(args, rootValue, group) : executeUnpriced({ ...args, rootValue }),
      ),
    ),
  )
}

const isLive = (event: unknown): event is LiveEvent =>
  typeof event === 'object' && event !== null && 'snapshot' in event

/**
 * Subscribes, and ends open subscriptions when the server is disposed of. Close connections first: a client
 * that still listens receives `complete` and does not reconnect.
 */
export function useSubscriptions(): Plugin {
  const inFlight = new Set<Stream>()
  let isDisposed = false
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(subscribe)
      return {
        onSubscribeResult({ result, setResult }) {
          if (!(Symbol.asyncIterator in result)) return
          const stream: Stream = mapped(result, (event) => event, {
            onBegin: () => (isDisposed ? void stream.return?.() : void inFlight.add(stream)),
            onEnd: () => inFlight.delete(stream),
          })
          setResult(stream)
        },
      }
    },
    async onDispose() {
      isDisposed = true
      await Promise.all([...inFlight].map((stream) => stream.return?.()))
    },
  }
}
