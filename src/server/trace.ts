import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context as Tracing, Span, SpanOptions } from '@opentelemetry/api'
import { getOperationAST } from 'graphql'
import type { DocumentNode, ExecutionArgs } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { attributesOf } from '../graph/operation.ts'
import { within } from '../upstream/trace.ts'
import type { ServerContext } from './app.ts'

const getter = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
}

/** Headers of fetch, whoever implements it, or of `node:http`. */
type AnyHeaders = Headers | NodeJS.Dict<string | string[]>

const isFetch = (headers: AnyHeaders): headers is Headers => typeof headers['get'] === 'function'

/** The span that a request arrived in: of a tracer for `node:http` where there is one, else what its headers name. */
function arrivedIn(headers: AnyHeaders): Tracing {
  const active = context.active()
  if (trace.getSpan(active)) return active
  return isFetch(headers)
    ? propagation.extract(active, headers, getter)
    : propagation.extract(active, headers)
}

/** A result as it is, after its span was told whether any of it failed. A result that is there at once stays at once. */
export function blamed<T extends object>(span: Span, result: T | Promise<T>): T | Promise<T> {
  if (result instanceof Promise) return result.then((one) => blamed(span, one))
  if ('errors' in result && result.errors) span.setStatus({ code: SpanStatusCode.ERROR })
  return result
}

type Run<T extends object> = (args: ExecutionArgs) => T | Promise<T>

/** What the span of an operation is named and says. */
export interface OperationSpan {
  readonly name: string
  readonly options: SpanOptions
}

export function spanOf(document: DocumentNode, operationName?: string | null): OperationSpan {
  const operation = getOperationAST(document, operationName)
  const attributes = operation ? attributesOf(operation) : {}
  return {
    name: operation?.operation ?? 'GraphQL Operation',
    options: { kind: SpanKind.SERVER, attributes },
  }
}

/** Runs an operation within a span of its own. */
export function traced<T extends object>(
  { document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>,
  headers: AnyHeaders,
  run: Run<T>,
): Run<T> {
  const { name, options } = spanOf(document, operationName)
  return (args) => within(name, options, (span) => blamed(span, run(args)), arrivedIn(headers))
}

/** Leaves the span of an operation whose answer is at hand. */
export const traceAtHand = ({ name, options }: OperationSpan, headers: AnyHeaders): void =>
  within(name, options, () => {}, arrivedIn(headers))

/**
 * A span for each query, which holds those of its upstream calls. That of a subscription ends when it has begun; its looks and events are
 * linked to it.
 */
export function useTrace(): Plugin<ServerContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      setExecuteFn(traced(args, args.contextValue.request.headers, executeFn as Run<object>)) // Yoga's type is any function's
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      setSubscribeFn(traced(args, args.contextValue.request.headers, subscribeFn as Run<object>))
    },
  }
}
