import type { Config } from '../config.ts'
import { sampleBasketball } from '../service/sample/ids.ts'
import { serve } from '../service/serve.ts'
import { recording } from '../calls/tape/recording.ts'
import type { Beginning } from '../calls/tape/tape.ts'
import type { Replayed } from '../calls/tape/replaying.ts'
import { httpTransport } from '../wire/transport.ts'
import type { Transport } from '../wire/transport.ts'

type Close = () => Promise<unknown>

/** The service's address, and the transport to it. */
export interface Source {
  readonly url: string
  readonly apiKey: string | null
  readonly organization: string | null
  readonly division: string | null
  readonly close: Close
}

async function embedded(config: Config): Promise<Source> {
  const { host, servicePort: port, dataDir, databaseUrl } = config
  const settings = { host, port, dataDir, databaseUrl: databaseUrl ?? undefined }
  const service = await serve(settings, {
    sample: databaseUrl === null,
    onCreate: () => console.log('The sample league is being created. That takes some seconds.'),
  })
  const isSample = service.source === 'sample'
  console.log(`The statistics service listens on ${service.url}`)
  return {
    url: service.url,
    apiKey: config.upstreamApiKey ?? (isSample ? 'sample-paid' : null),
    organization: config.defaultOrganizationId ?? (isSample ? sampleBasketball.organizationId : null),
    division: config.defaultDivisionId ?? (isSample ? sampleBasketball.divisionId : null),
    close: () => service.close(),
  }
}

const elsewhere = (url: string, config: Config): Source => ({
  url,
  apiKey: config.upstreamApiKey,
  organization: config.defaultOrganizationId,
  division: config.defaultDivisionId,
  close: async () => {},
})

/**
 * Replaying a tape needs no service. Without an address, the tape is assumed to be of the sample league, and no
 * client needs a key. If the tape has several keys, each client brings its own.
 */
export async function sourceOf(config: Config, replayed: Replayed | null): Promise<Source> {
  const { upstreamUrl } = config
  if (replayed) {
    const of = elsewhere(upstreamUrl ?? '', config)
    const league = upstreamUrl === null ? sampleBasketball : null
    return {
      ...of,
      apiKey: of.apiKey ?? (upstreamUrl === null && replayed.keys === 1 ? 'tape' : null),
      organization: of.organization ?? league?.organizationId ?? null,
      division: of.division ?? league?.divisionId ?? null,
    }
  }
  return upstreamUrl === null ? embedded(config) : elsewhere(upstreamUrl, config)
}

/**
 * Sends calls to the service. If there is a tape to record, they are recorded, after what the
 * recording begins with.
 */
export function transportOf(
  { url }: Source,
  { upstreamTape, upstreamMaxBytes }: Config,
  beginning: () => Beginning,
): Transport {
  const transport = httpTransport(url, { largest: upstreamMaxBytes ?? undefined })
  return upstreamTape
    ? recording(transport, upstreamTape.file, { beginning: beginning(), address: url })
    : transport
}
