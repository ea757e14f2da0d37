import type { GraphQLSchema } from 'graphql'
import { createYoga, useReadinessCheck } from 'graphql-yoga'
import type { YogaInitialContext } from 'graphql-yoga'
import type { Context } from '../graph/builder.ts'
import type { Scope } from '../graph/scope.ts'
import { schema as statline } from '../graph/schema.ts'
import { Request } from '../upstream/request.ts'
import type { Upstream } from '../upstream/world.ts'
import { documentId, noDocuments, useDocuments } from './documents.ts'
import type { Documents } from './documents.ts'
import { maskError } from './errors.ts'
import { useFreshness } from './freshness.ts'
import { useLimits } from './limits.ts'
import { useLog } from './log.ts'
import type { Log } from './log.ts'
import { useMetrics } from './metrics.ts'
import { useOrigins } from './origins.ts'
import type { Origins } from './origins.ts'
import { usePages } from './pages.ts'
import { useRehearsal } from './rehearsal.ts'
import { useTrace } from './trace.ts'
import { useUsage } from './usage.ts'

export interface AppOptions {
  readonly upstream: Upstream
  /** The key that every call is sent with; null where each client brings its own in `X-API-KEY`. */
  readonly apiKey: string | null
  /** The league where a query names none. */
  readonly defaults: Scope
  /** Statline's own graph unless given: everything else here serves any schema. */
  readonly schema?: GraphQLSchema
  /** Whether queries can be answered. */
  readonly isReady?: () => boolean | Promise<boolean>
  /** Web pages that may ask; those of this machine unless given. */
  readonly origins?: Origins
  readonly documents?: Documents
  /** Where requests are logged; nowhere unless given. */
  readonly log?: Log
}

/** What Yoga's own plugins find in the context beside ours. */
export type ServerContext = YogaInitialContext

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

/** GraphQL over HTTP without a port: `app.fetch(request)`, or a listener for `node:http`. */
export function createApp({ upstream, apiKey, defaults, isReady = () => true, ...options }: AppOptions) {
  const { schema = statline, origins = 'local', documents = noDocuments, log } = options
  return createYoga<object, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    maskedErrors: { maskError },
    healthCheckEndpoint: '/health',
    cors: false,
    extraParamNames: [documentId],
    plugins: [
      ...(log ? [useLog(log)] : []),
      useOrigins(origins),
      useMetrics(upstream),
      useFreshness(apiKey !== null),
      useDocuments(documents),
      useReadinessCheck({ endpoint: '/ready', check: async () => isReady() }),
      usePages(() => ({ date: dayOf(upstream.settings.clock()), hasLeague: Boolean(defaults.division_id) })),
      useLimits(),
      useRehearsal(),
      useUsage(),
      useTrace(),
    ],
    context({ request }): Context {
      const key = apiKey ?? request.headers.get('x-api-key')?.trim() ?? ''
      return { client: new Request(upstream.worldOf(key)), defaults }
    },
    logging: false,
  })
}
