import type { RequestListener } from 'node:http'
import type { Scope } from '../src/graph/scope.ts'
import { defaultFreshFor } from '../src/rows/freshness.ts'
import type { FreshFor } from '../src/rows/freshness.ts'
import { createApp } from '../src/server/app.ts'
import type { Documents } from '../src/server/documents.ts'
import { compressed, listen } from '../src/server/listen.ts'
import type { Listener } from '../src/server/listen.ts'
import { UnavailableError } from '../src/errors/errors.ts'
import { Upstream } from '../src/account/upstream.ts'
import { record } from './graph/recorder.ts'
import type { Recorder } from './graph/recorder.ts'
import { basketball, startSample } from './graph/harness.ts'
import type { Between, Sample } from './graph/harness.ts'
import { endless } from './server/endless.ts'
import { sampleNow } from './sample.setup.ts'
import { fills } from '../src/loaders/fills.ts'

export interface Settings {
  readonly defaults?: Scope
  /** Null if each client brings its own. */
  readonly apiKey?: string | null
  /** Tokens that may be spent in a month; no bound unless given. */
  readonly budget?: number
  /** The moment of the tests unless given. */
  readonly clock?: () => number
  /** How long rows are served, where it is not the default. */
  readonly freshFor?: Partial<FreshFor>
  /** Whether answers are compressed, as outside of tests. */
  readonly isCompressed?: boolean
  /** The documents that it trusts. */
  readonly documents?: Documents
  /** What stands between the graph and the service. */
  readonly between?: Between
}

export interface Server {
  readonly url: string
  readonly sample: Sample
  /** Operations that the service does not answer at the moment, for example `boxscore/readBoxscore`. */
  readonly down: Set<string>
  /** The calls that reached the service. */
  readonly calls: Recorder
  /** Forgets all that was paid for. */
  forget(): void
  close(): Promise<void>
}

/** Statline on a port, over the sample league at the time of the tests, for browsers and other programs. */
export async function startServer({
  defaults = basketball,
  apiKey = 'sample-paid',
  budget,
  clock = () => sampleNow,
  freshFor,
  documents,
  isCompressed = false,
  between = (request, service) => service(request),
}: Settings = {}): Promise<Server> {
  const sample = await startSample()
  const down = new Set<string>()
  const calls = record(async (request) => {
    const { class: name, function: verb } = request.operation
    if (down.has(`${name}/${verb}`)) throw new UnavailableError('The statistics service cannot be reached.')
    return between(request, sample.transport)
  })
  const create = () =>
    new Upstream({
      transport: calls,
      fills,
      monthlyTokenBudget: budget ?? null,
      timeoutMs: 60_000, // a busy machine may stand still for seconds
      batchSize: 500,
      concurrency: 32,
      clock,
      freshFor: { ...defaultFreshFor, ...freshFor },
    })
  const newApp = () => {
    // Other tests that take the processor are no overload.
    const upstream = create()
    const made = createApp({
      upstream,
      apiKey,
      defaults,
      longestWaitMs: 600_000,
      ...(documents && { documents }),
    })
    return isCompressed ? compressed(made) : made
  }
  let app: Listener = newApp()
  const current: Listener = Object.assign<RequestListener, Pick<Listener, 'sockets'>>(
    (request, response) => app(request, response),
    {
      sockets: {
        upgrade: (...connection) => app.sockets?.upgrade(...connection),
        close: () => app.sockets?.close(),
      },
    },
  )
  const server = await listen(current, '127.0.0.1', 0, endless)
  return {
    url: server.url,
    sample,
    down,
    calls,
    forget: () => void (app = newApp()),
    async close() {
      await server.close()
      await sample.close()
    },
  }
}
