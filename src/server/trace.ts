import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context as Tracing, Span } from '@opentelemetry/api'
import { getOperationAST } from 'graphql'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../graph/builder.ts'
import type { ServerContext } from './app.ts'

const tracer = trace.getTracer('statline')

const getter = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
}

/** The span that a request arrived in: of a tracer for `node:http` where there is one, else what its headers name. */
function arrivedIn(request: Request): Tracing {
  const active = context.active()
  return trace.getSpan(active) ? active : propagation.extract(active, request.headers, getter)
}

function end(span: Span, isSound: boolean): void {
  if (!isSound) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>

/** An answer that is there at once stays at once. */
function watched(span: Span, run: () => ReturnType<Execute>): ReturnType<Execute> {
  const done = (result: ExecutionResult) => (end(span, !result.errors), result)
  const result = run()
  if (!(result instanceof Promise)) return done(result)
  return result.then(done, (error: unknown) => {
    end(span, false)
    throw error
  })
}

/** A span for each query, which holds those of its upstream calls; costs next to nothing where nobody collects them. */
export function useTrace(): Plugin<ServerContext & Partial<Context>> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { request } = args.contextValue
      const operation = getOperationAST(args.document, args.operationName)
      const name = `graphql ${operation?.name?.value ?? ''}`.trim()
      const execute = executeFn as Execute // a query's: nothing here is deferred or streamed
      setExecuteFn((asked: ExecutionArgs) =>
        tracer.startActiveSpan(name, { kind: SpanKind.SERVER }, arrivedIn(request), (span) =>
          watched(span, () => execute(asked)),
        ),
      )
    },
  }
}
