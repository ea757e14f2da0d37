import type { IncomingHttpHeaders } from 'node:http'
import type { DocumentNode, ExecutionResult } from 'graphql'
import type { ExecutionContext } from '../graph/execution/context.ts'
import { Answer, refusedBy } from '../graph/execution/answer.ts'
import { ExecutionBudget } from '../graph/execution/budget.ts'
import type { Clocks, ExecutionLimits } from '../graph/execution/budget.ts'
import type { Scope } from '../graph/scope.ts'
import { schema } from '../schema.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { KeptAnswer } from './answer-cache.ts'
import { clientName, keyOf, requestOf } from './caller.ts'
import type { Billing, Header } from './caller.ts'
import type { KeptAnswers, Ran } from './kept-answers.ts'
import type { FindText } from './documents.ts'
import { mask } from './errors.ts'
import { answerAny } from './execution.ts'
import { cacheControl, storable } from './cache-control.ts'
import type { DirectPathServer, PlainQuery, Printed } from './plain-query.ts'
import { outcomeOfQuery } from './metrics.ts'
import type { OperationMetrics } from './metrics.ts'
import { isAllowedOrigin } from './origins.ts'
import type { Origins } from './origins.ts'
import { traced } from './trace.ts'
import { billOf, settled } from './usage.ts'

/** The parts of a server that answer a query, on the direct path or in Yoga. */
export interface DirectPathParts extends Billing {
  readonly defaults: Scope
  readonly executionLimits?: ExecutionLimits | undefined
  readonly executionClocks?: Clocks | undefined
  readonly origins: Origins
  readonly isOurHost: (host: string) => boolean
  readonly findText: FindText
  readonly documentOf: (text: string) => DocumentNode | undefined
  readonly metrics: OperationMetrics
  readonly answers: KeptAnswers
}

/** Answers queries of the direct path by the same rules as the plugins do. */
export function directPathServer(parts: DirectPathParts): DirectPathServer {
  const { upstream, apiKey, defaults, executionLimits, executionClocks, origins, isOurHost, answers } = parts
  const isShared = apiKey !== null
  const keyIn = (headers: IncomingHttpHeaders) => keyOf(parts, headerOf(headers))
  return {
    isAllowed: (headers) => {
      const { host, origin } = headers
      if (host !== undefined && !isOurHost(host)) return false
      return origin === undefined
        ? headers['sec-fetch-site'] !== 'cross-site'
        : isAllowedOrigin(origin, host ?? null, origins)
    },
    // Neither a header nor a media type has a line break.
    nameOf: (body, type, headers) => `${keyIn(headers)}\n${type}\n${body.toString('latin1')}`,
    find: (name, headers) =>
      answers.has(name) ? answers.find(name, upstream.accountOf(keyIn(headers)), headers) : undefined,
    textOf: (params) => parts.findText(params),
    documentOf: parts.documentOf,
    contextOf: ({ headers, params }) => ({
      clientRequest: requestOf(parts, headerOf(headers), params.extensions),
      defaults,
      budget: new ExecutionBudget(executionLimits, undefined, executionClocks),
    }),
    clientOf: (headers) => clientName(headerOf(headers)),
    execute: (query, context) => execute(query, context, parts),
    vary: isShared ? 'Origin, Accept' : 'Origin, Accept, X-API-KEY',
    cacheControlOf: ({ freshUntil, made }) =>
      storable(freshUntil, upstream.settings.clock(), isShared && made.quality === null),
  }
}

const headerOf =
  (headers: IncomingHttpHeaders): Header =>
  (name) => {
    const header = headers[name]
    return typeof header === 'string' ? header : undefined
  }

async function execute(
  { name, params, document, headers }: PlainQuery,
  context: ExecutionContext,
  parts: DirectPathParts,
): Promise<Printed | KeptAnswer> {
  const { operationName } = params
  const { clientRequest } = context
  const { metrics, upstream } = parts
  const end = metrics.querySeconds.startTimer()
  const run = traced({ document, operationName }, headers, answerAny)
  const answer = await run({
    schema,
    document,
    operationName,
    variableValues: params.variables,
    contextValue: context,
  })
  end()
  await settled(clientRequest)
  const result = await keptOrPrinted(name, { answer, document, operationName }, clientRequest, parts)
  metrics.queries[outcomeOfQuery(result instanceof KeptAnswer ? {} : result, clientRequest)].inc()
  if (answer instanceof Answer) answer.release()
  upstream.leave(clientRequest.account)
  return result
}

/** An answer as bytes. One that has too many is refused; its bill is kept. */
async function keptOrPrinted(
  name: string | null,
  ran: Ran,
  client: ClientRequest,
  { answers, apiKey }: DirectPathParts,
): Promise<Printed | KeptAnswer> {
  let bill: object | undefined
  const print = (answer: Answer | ExecutionResult) =>
    printed(answer, (bill ??= billOf(client)), cacheControl(client, answer, apiKey !== null))
  try {
    const kept = name === null ? null : await answers.keep(name, ran, client)
    return kept ?? (await print(ran.answer))
  } catch (error) {
    return print(refusedBy(error))
  }
}

async function printed(
  answer: Answer | ExecutionResult,
  bill: object,
  cacheControl: string,
): Promise<Printed> {
  const errors = answer.errors?.map(mask)
  const before = `{${errors ? `"errors":${JSON.stringify(errors)},` : ''}"data":`
  const after = `,"extensions":${JSON.stringify(bill)}}`
  if (answer instanceof Answer)
    return { bytes: await answer.bytes(before, after), errors, isNull: answer.isNull, cacheControl }
  return { bytes: Buffer.from(`${before}null${after}`), errors, isNull: true, cacheControl } // it is a refusal
}
