import { context, INVALID_SPAN_CONTEXT, ProxyTracerProvider, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Attributes, Context, Span, SpanOptions } from '@opentelemetry/api'
import { CodedError } from './errors.ts'

const tracer = trace.getTracer('statline')

/** What stands in for a provider of spans until one is registered. */
const standIn = new ProxyTracerProvider().getDelegate()

/** Whether anybody collects spans. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== standIn
}

/** A span that nobody collects. */
export const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/**
 * Does something within a span of its own, which ends with it and says how it failed. What is there at once stays at once. Costs next to
 * nothing where nobody collects spans.
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
    // A promise of what T is a promise of.
    return result instanceof Promise ? (result.then(end, fail) as T) : end(result)
  })
}

function blame(span: Span, error: unknown): void {
  if (!(error instanceof Error)) return void span.setStatus({ code: SpanStatusCode.ERROR })
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
  span.setAttribute('error.type', error instanceof CodedError ? error.code : error.name)
}

/**
 * For what is done again and again on behalf of the span that is active now, for hours perhaps: each time a trace of its own, linked to
 * that span, for a trace of hours is shown by no tracer before it is over, and read by nobody after.
 */
export function recurring(name: string, attributes: Attributes): <T>(run: (span: Span) => T) => T {
  const origin = trace.getActiveSpan()
  const links = origin ? [{ context: origin.spanContext() }] : []
  return (run) => within(name, { root: true, links, attributes }, run)
}
