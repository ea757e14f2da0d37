import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context as Tracing, Span, SpanOptions } from '@opentelemetry/api'
import { getOperationAST } from 'graphql'
import type { DocumentNode, ExecutionArgs } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { attributesOf } from '../graph/operation.ts'
import { isTracing, within } from '../trace.ts'

const getter = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
}

/** Headers of any fetch implementation, or of `node:http`. */
type AnyHeaders = Headers | NodeJS.Dict<string | string[]>

const isFetch = (headers: AnyHeaders): headers is Headers => typeof headers['get'] === 'function'

/**
 * The parent span of a request: from a tracer for `node:http` if there is one, else from the request's
 * headers.
 */
function arrivedIn(headers: AnyHeaders): Tracing {
  const active = context.active()
  if (trace.getSpan(active)) return active
  return isFetch(headers)
    ? propagation.extract(active, headers, getter)
    : propagation.extract(active, headers)
}

/** Marks the span if the result has errors. A synchronous result stays synchronous. */
export function blamed<T extends object>(span: Span, result: T | Promise<T>): T | Promise<T> {
  if (result instanceof Promise) return result.then((one) => blamed(span, one))
  if ('errors' in result && result.errors) span.setStatus({ code: SpanStatusCode.ERROR })
  return result
}

type Run<T extends object> = (args: ExecutionArgs) => T | Promise<T>

/** The name and attributes of an operation's span. */
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

/** Runs an operation in a span. */
export function traced<T extends object>(
  { document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>,
  headers: AnyHeaders,
  run: Run<T>,
): Run<T> {
  if (!isTracing()) return run
  const { name, options } = spanOf(document, operationName)
  return (args) => within(name, options, (span) => blamed(span, run(args)), arrivedIn(headers))
}

/** Records the span of an operation whose answer is cached. */
export function knownTrace({ name, options }: OperationSpan, headers: AnyHeaders): void {
  if (isTracing()) within(name, options, () => {}, arrivedIn(headers))
}

/**
 * A span for each query, with its upstream calls as children. A subscription's span ends when the
 * subscription has started; its polls and events are linked to it.
 */
export function useTrace(): Plugin<YogaInitialContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      setExecuteFn(traced(args, args.contextValue.request.headers, executeFn as Run<object>)) // Yoga's type is any function
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      setSubscribeFn(traced(args, args.contextValue.request.headers, subscribeFn as Run<object>))
    },
  }
}
