import type { IncomingMessage, RequestListener } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import { createYoga } from 'graphql-yoga'
import type { YogaInitialContext, YogaServerInstance } from 'graphql-yoga'
import { Registry } from 'prom-client'
import type { ExecutionContext } from '../graph/execution/context.ts'
import { ExecutionBudget } from '../graph/execution/budget.ts'
import type { Clocks, ExecutionLimits } from '../graph/execution/budget.ts'
import type { Scope } from '../graph/scope.ts'
import { schema as statline } from '../schema.ts'
import { adminListener } from './admin.ts'
import { requestOf } from './caller.ts'
import { addressBehind } from './client-address.ts'
import type { Billing } from './caller.ts'
import { ReadinessChecks, countDegraded } from './readiness-checks.ts'
import { CheckedDocuments, useCheckedDocuments } from './checked-documents.ts'
import { documentId, noDocuments, textFinder, useDocuments } from './documents.ts'
import type { Documents } from './documents.ts'
import { useDryRun } from './dry-run.ts'
import { maskError } from './errors.ts'
import { executeWithoutData, useExecution } from './execution.ts'
import { useFederatedTrace } from './federated-trace.ts'
import { useCacheControl } from './cache-control.ts'
import { compressWrites } from './compressed-response.ts'
import { useHosts } from './hosts.ts'
import { KeptAnswers } from './kept-answers.ts'
import { directPathServer } from './direct-path-server.ts'
import { withDirectPath } from './direct-path.ts'
import { largestBody } from './limits.ts'
import { useLog } from './log.ts'
import { countRefused, operationMetrics, useMetrics } from './metrics.ts'
import { useOrigins } from './origins.ts'
import type { Origins } from './origins.ts'
import { defaultLongestWaitMs, logShed, withShedding, Workload } from './overload.ts'
import { usePages } from './pages.ts'
import { useRequestExtensions } from './query-price.ts'
import { useReadiness } from './readiness.ts'
import { refusalsIn } from './refused-requests.ts'
import { refusedSender } from './refused-sender.ts'
import { RequestLog } from './request-log.ts'
import type { Log } from './request-log.ts'
import { useQueryCheck, useRequestCheck } from './request-checks.ts'
import { countSpending } from './spending.ts'
import { defaultLimits, useSubscriptionLimits } from './subscription-limits.ts'
import type { SubscriptionLimits } from './subscription-limits.ts'
import { tellServiceTraits } from './service-traits.ts'
import { shielded } from './plugin-failures.ts'
import { withEventStreams } from './event-streams.ts'
import { socketsOf } from './sockets.ts'
import type { Sockets } from './sockets.ts'
import type { Steps, StepsOf } from './steps.ts'
import { useSubscriptions } from './subscriptions.ts'
import { useTrace } from './trace.ts'
import { useUsage } from './usage.ts'

export interface ServerOptions {
  /** The checks of `/ready`; by default none. */
  readonly checks?: ReadinessChecks
  /** Whether `/metrics` is served by `admin` alone. */
  readonly hasAdmin?: boolean
  /** Web pages that may send queries; by default those of this machine. */
  readonly origins?: Origins
  /** Whether a request may name this host; by default every host. */
  readonly isOurHost?: (host: string) => boolean
  readonly documents?: Documents
  /** Maximum number of open subscriptions. */
  readonly subscriptionLimits?: SubscriptionLimits
  /** Addresses whose `X-Forwarded-For` names the client; by default none. */
  readonly trustedProxies?: readonly string[]
  /** Where requests are logged; by default nowhere. */
  readonly log?: Log
  /** Maximum bytes of kept answers; by default a share of the heap. */
  readonly mostAnswers?: number
  /** Queries that would be answered later than this are refused. */
  readonly longestWaitMs?: number
}

/** Statline's own graph over the billed service. */
export interface Billed extends Billing {
  /** The league of queries that name none. */
  readonly defaults: Scope
  /** What one execution may use. */
  readonly executionLimits?: ExecutionLimits | undefined
  /** What measures an execution; by default the machine's clocks. */
  readonly executionClocks?: Clocks | undefined
}

/** Any other schema. It has no bill, so no plugin reports one. */
export interface Unbilled {
  readonly schema: GraphQLSchema
}

export type AppOptions = ServerOptions & (Billed | Unbilled)

/** A listener for `node:http`; `fetch` answers without a port; `dispose` ends its subscriptions. */
export type App = RequestListener &
  Pick<Yoga, 'fetch' | 'dispose'> & {
    /** WebSockets; none for a schema that is not billed. */
    readonly sockets: Sockets | undefined
    /** The same listener with encoded answers. Answers kept as bytes are compressed once. */
    readonly encoded: () => RequestListener
    /** What is for operators alone, for a port of its own. */
    readonly admin: RequestListener
    /**
     * Ends its subscriptions. After that, and at the latest when `grace` resolves, ends all calls, and logs the
     * requests that are cut off by it.
     */
    readonly stop: (grace: Promise<unknown>) => Promise<void>
  }

type Yoga = YogaServerInstance<object, Partial<ExecutionContext>>

/** GraphQL over HTTP. */
export function createApp(options: AppOptions): App {
  const { origins = 'local', documents = noDocuments, log, isOurHost } = options
  const checks = options.checks ?? new ReadinessChecks()
  const billed = 'upstream' in options ? options : null
  const senderOf = billed ? refusedSender(billed) : undefined
  const requestLog = log && new RequestLog(log)
  const logs = requestLog ? { log: requestLog, logRefused: refusalsIn(requestLog, senderOf) } : null
  const schema = 'upstream' in options ? statline : options.schema
  const registry = new Registry()
  const metrics = operationMetrics([registry])
  countDegraded(checks, [registry])
  const findText = textFinder(documents)
  const checked = new CheckedDocuments(schema)
  const addressOf = addressBehind(options.trustedProxies ?? [])
  const yoga = createYoga<object, Partial<ExecutionContext>>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    maskedErrors: { maskError },
    healthCheckEndpoint: '/health',
    cors: false,
    multipart: false,
    maxRequestBodySize: largestBody,
    parserAndValidationCache: false,
    extraParamNames: [documentId],
    plugins: [
      ...(requestLog ? [useLog(requestLog, senderOf)] : []),
      ...(isOurHost ? [useHosts(isOurHost)] : []),
      useOrigins(origins),
      useMetrics(registry, metrics, !options.hasAdmin),
      useRequestCheck(),
      useDocuments(findText),
      useQueryCheck(),
      useReadiness(checks),
      useCheckedDocuments(checked),
      useSubscriptions(),
      useSubscriptionLimits(options.subscriptionLimits ?? defaultLimits, billed?.apiKey === null, addressOf),
      ...(billed ? billing(billed, registry, log) : []),
      useFederatedTrace(),
      useTrace(),
    ].map(shielded),
    context: (server) => (billed ? contextOf(billed, server) : {}),
    logging: false,
  })
  const directPath =
    billed &&
    directPathServer({
      ...billed,
      origins,
      isOurHost: isOurHost ?? (() => true),
      findText,
      metrics,
      documentOf: (text) => checked.valid(text),
      answers: new KeptAnswers(billed.upstream, metrics, options.mostAnswers),
    })
  // Yoga types `initial` as the context of an HTTP request. It has what our plugins read of one.
  // The result is GraphQL's functions with our plugins applied, which `Steps` types with our context.
  const stepsOf: StepsOf = (initial) => yoga.getEnveloped(initial as never) as unknown as Steps
  const sockets =
    directPath &&
    socketsOf({
      isAllowed: directPath.isAllowed,
      findText,
      limits: options.subscriptionLimits ?? defaultLimits,
      addressOf,
      logs,
      senderOf: refusedSender(billed),
      onRefused: (errors) => countRefused(metrics, { errors }),
      stepsOf,
    })
  const direct = (isCompressed: boolean): RequestListener => {
    const next: RequestListener = isCompressed
      ? (request, response) => {
          compressWrites(request, response)
          return yoga(request, response)
        }
      : yoga
    if (!directPath) return next
    return withEventStreams(withDirectPath(next, directPath, logs, isCompressed), directPath, stepsOf, logs)
  }
  const workload = new Workload()
  const toLog = logs && logShed(logs.logRefused)
  const listener = (isCompressed: boolean) =>
    withShedding(
      direct(isCompressed),
      options.longestWaitMs ?? defaultLongestWaitMs,
      (...refused) => {
        metrics.shed.inc()
        toLog?.(...refused)
      },
      workload,
    )
  const answer = listener(false)
  return Object.assign((...args: Parameters<RequestListener>) => answer(...args), {
    fetch: yoga.fetch.bind(yoga),
    dispose: yoga.dispose.bind(yoga),
    async stop(grace: Promise<unknown>) {
      await Promise.race([yoga.dispose(), grace])
      const endCalls = async () => billed?.upstream.endCalls()
      await (requestLog ? requestLog.cut(endCalls) : endCalls())
    },
    encoded: () => listener(true),
    sockets: sockets ?? undefined,
    admin: adminListener({
      registry,
      checks,
      isOurHost: isOurHost ?? (() => true),
      spending: billed && ((from, to) => billed.upstream.ledgers.books.spending(from, to)),
      clock: billed ? billed.upstream.settings.clock : Date.now,
    }),
  })
}

function contextOf(
  billed: Billed,
  { request, params, req }: YogaInitialContext & { readonly req?: IncomingMessage },
): ExecutionContext {
  const header = (name: string) => request.headers.get(name)
  const clientRequest = requestOf(billed, header, params?.extensions)
  clientRequest.connection = req?.socket ?? null
  const { defaults, executionLimits, executionClocks } = billed
  return {
    clientRequest,
    defaults,
    budget: new ExecutionBudget(executionLimits, undefined, executionClocks),
  }
}

/** The plugins that report or limit what a query costs, and those that need our graph. */
function billing({ upstream, apiKey, defaults }: Billed, registry: Registry, log: Log | undefined) {
  countSpending(upstream, [registry])
  tellServiceTraits(upstream, [registry], log)
  const editor = { hasLeague: Boolean(defaults.division_id), bringsKey: apiKey === null }
  return [
    useRequestExtensions(),
    useExecution(),
    useCacheControl(apiKey !== null),
    usePages(editor),
    useDryRun(executeWithoutData),
    useUsage(),
  ]
}
