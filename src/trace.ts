import { context, INVALID_SPAN_CONTEXT, ProxyTracerProvider, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Attributes, Context, Span, SpanOptions } from '@opentelemetry/api'
import { CodedError } from './errors/errors.ts'

const tracer = trace.getTracer('statline')

/** OpenTelemetry's provider while none is registered. */
const standIn = new ProxyTracerProvider().getDelegate()

/** Whether spans are collected. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== standIn
}

/** A span that is not collected. */
export const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/**
 * Runs a function in a span of its own, which ends with it and records its error. A synchronous result stays
 * synchronous. Costs nearly nothing if no spans are collected.
 */
export function within<T>(
  name: string,
  options: SpanOptions,
  run: (span: Span) => T,
  parent: Context = context.active(),
): T {
  if (!isTracing()) return run(noSpan)
  return tracer.startActiveSpan(name, options, parent, (span) => {
    const end = <R>(result: R): R => (span.end(), result)
    const fail = (error: unknown): never => {
      blame(span, error)
      span.end()
      throw error
    }
    let result: T
    try {
      result = run(span)
    } catch (error) {
      return fail(error)
    }
    // T is a promise here.
    return result instanceof Promise ? (result.then(end, fail) as T) : end(result)
  })
}

/** Records in a span that its work has failed. */
export function blame(span: Span, error: unknown): void {
  if (!(error instanceof Error)) return void span.setStatus({ code: SpanStatusCode.ERROR })
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
  span.setAttribute('error.type', error instanceof CodedError ? error.code : error.name)
}

/** The function, to be run later in the active span. Costs nothing if no spans are collected. */
export const inActiveSpan = (run: () => void): (() => void) =>
  isTracing() ? context.bind(context.active(), run) : run

/**
 * For work that is repeated for the active span, possibly for hours. Each run gets a trace of its own that is
 * linked to that span, because tracers show a trace only when it is over.
 */
export function recurring(name: string, attributes: Attributes): <T>(run: (span: Span) => T) => T {
  const origin = trace.getActiveSpan()
  const links = origin ? [{ context: origin.spanContext() }] : []
  return (run) => within(name, { root: true, links, attributes }, run)
}
