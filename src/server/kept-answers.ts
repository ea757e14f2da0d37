import type { IncomingHttpHeaders } from 'node:http'
import type { DocumentNode, ExecutionResult } from 'graphql'
import { Answer } from '../graph/execution/answer.ts'
import { keptSoFar } from '../rows/entry.ts'
import { timeOf } from '../rows/moment.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import type { Upstream } from '../account/upstream.ts'
import { AnswerCache } from './answer-cache.ts'
import type { KeptAnswer } from './answer-cache.ts'
import type { OperationMetrics } from './metrics.ts'
import { operationNameOf } from './operation-name.ts'
import { spanOf, knownTrace } from './trace.ts'

/**
 * Answers kept as bytes. When one is sent again, it is traced, counted and billed like an executed one, with
 * no tokens.
 */
export class KeptAnswers {
  readonly #upstream: Upstream
  readonly #metrics: OperationMetrics
  readonly #cache: AnswerCache

  constructor(upstream: Upstream, metrics: OperationMetrics, mostBytes?: number) {
    this.#upstream = upstream
    this.#metrics = metrics
    this.#cache = new AnswerCache(upstream, mostBytes)
  }

  /** Whether there is an answer of that name. It may have expired. */
  has(name: string): boolean {
    return this.#cache.has(name)
  }

  find(name: string, account: Account, headers: IncomingHttpHeaders): KeptAnswer | undefined {
    const begun = performance.now()
    const kept = this.#cache.find(name, account, this.#upstream.moment())
    if (!kept) return undefined
    const { span, lines } = kept.made
    knownTrace(span, headers)
    for (const line of lines) this.#upstream.tell(line)
    this.#metrics.queries.ok.inc()
    this.#metrics.reused.inc()
    this.#metrics.querySeconds.observe((performance.now() - begun) / 1000)
    return kept
  }

  /**
   * Keeps an answer if it is complete and made only of rows that are kept; null otherwise. Takes the
   * request's bill. Throws an OverLimitError before that, if the answer would have too many bytes.
   */
  async keep(name: string, ran: Ran, client: ClientRequest): Promise<KeptAnswer | null> {
    const { answer, document, operationName } = ran
    const { account, touched, stale } = client
    const now = timeOf(client.now)
    const lines = [...client.plan]
    if (lines.some(({ source }) => source !== 'MEMORY')) return null
    if (!(answer instanceof Answer) || answer.errors || stale || account.isRefused) return null
    const { fresh } = client
    if (fresh === null || fresh.until <= now) return null
    const { dataQuality: quality, usage } = client
    const said = quality ? `"dataQuality":"${quality}",` : ''
    const after = `,"extensions":{${said}"usage":${JSON.stringify(usage).slice(0, -1)}`
    const made = { account, quality, touched, madeAt: now, change: keptSoFar(), fresh, lines }
    const bytes = await answer.bytes('{"data":', after)
    return this.#cache.keep(name, {
      ...made,
      bytes,
      spent: client.takeUsage(),
      operation: operationNameOf(document, operationName),
      span: spanOf(document, operationName),
    })
  }
}

/** An operation that was executed, and its answer. */
export interface Ran {
  readonly answer: Answer | ExecutionResult
  readonly document: DocumentNode
  readonly operationName?: string | null
}
