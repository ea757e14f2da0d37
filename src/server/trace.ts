import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context as Tracing, Span } from '@opentelemetry/api'
import { getOperationAST } from 'graphql'
import type { ExecutionArgs } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { attributesOf } from '../graph/operation.ts'
import { within } from '../upstream/trace.ts'
import type { ServerContext } from './app.ts'

const getter = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
}

/** The span that a request arrived in: of a tracer for `node:http` where there is one, else what its headers name. */
function arrivedIn(request: Request): Tracing {
  const active = context.active()
  return trace.getSpan(active) ? active : propagation.extract(active, request.headers, getter)
}

/** A result as it is, after its span was told whether any of it failed. A result that is there at once stays at once. */
export function blamed<T extends object>(span: Span, result: T | Promise<T>): T | Promise<T> {
  if (result instanceof Promise) return result.then((one) => blamed(span, one))
  if ('errors' in result && result.errors) span.setStatus({ code: SpanStatusCode.ERROR })
  return result
}

type Run = (args: ExecutionArgs) => object | Promise<object>

function traced({ document, operationName }: ExecutionArgs, request: Request, run: Run): Run {
  const operation = getOperationAST(document, operationName)
  const attributes = operation ? attributesOf(operation) : {}
  const options = { kind: SpanKind.SERVER, attributes }
  return (args) =>
    within(
      operation?.operation ?? 'GraphQL Operation',
      options,
      (span) => blamed(span, run(args)),
      arrivedIn(request),
    )
}

/**
 * A span for each query, which holds those of its upstream calls. That of a subscription ends when it has begun; its looks and events are
 * linked to it.
 */
export function useTrace(): Plugin<ServerContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      setExecuteFn(traced(args, args.contextValue.request, executeFn as Run)) // Yoga's type is any function's
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      setSubscribeFn(traced(args, args.contextValue.request, subscribeFn as Run))
    },
  }
}
