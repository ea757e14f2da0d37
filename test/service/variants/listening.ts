import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { nameOf } from '../../../src/specification/operation.ts'
import { operations } from '../../../src/specification/operations.ts'
import type { Operation } from '../../../src/specification/operation.ts'
import { Deadline } from '../../../src/wire/deadline.ts'
import type { Incoming, Outgoing } from '../../../src/wire/transport.ts'
import type { Sample } from '../../graph/harness.ts'
import { isError, read } from './variant.ts'
import type { Asked, Variant } from './variant.ts'

/** A request as a variant got it, and whether it was answered with an error. */
export interface Received extends Asked {
  readonly apiKey: string
  readonly isRefused: boolean
  readonly tokens: number
}

export interface Listening {
  readonly url: string
  /** What has come since the last look. */
  take(): readonly Received[]
  close(): Promise<void>
}

const byName = new Map<string, Operation>(
  Object.values<Operation>(operations).map((operation) => [nameOf(operation), operation]),
)

/** A variant of the service on a port, for programs of their own. It accepts any key, with all rights. */
export async function listenAs(variant: Variant, sample: Sample): Promise<Listening> {
  let received: Received[] = []
  const answered = async (request: IncomingMessage): Promise<Incoming> => {
    const outgoing = await outgoingOf(request)
    const service = (one: Outgoing) => sample.transport({ ...one, apiKey: sample.apiKey })
    const answer = await variant.answer(outgoing, service)
    const tokens = Number(answer.headers['x-request-usage'] ?? 0)
    received.push({ ...read(outgoing), apiKey: outgoing.apiKey, isRefused: isError(answer), tokens })
    return answer
  }
  const server = createServer(
    (request, response) =>
      void answered(request).then(
        (answer) => send(answer, response),
        () => response.destroy(),
      ),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/v1`,
    take() {
      const taken = received
      received = []
      return taken
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function outgoingOf(request: IncomingMessage): Promise<Outgoing> {
  const { method, url = '', headers } = request
  const path = method === 'POST' ? '' : url.replace(/^\/v1/, '')
  const body = method === 'POST' ? await text(request) : undefined
  const asked = { path, ...(body !== undefined && { body }) }
  return {
    ...asked,
    // A missing one is answered with an error.
    operation: byName.get(read(asked).operation) ?? operations.readTeams,
    arguments: {},
    method: method === 'POST' ? 'POST' : 'GET',
    apiKey: String(headers['x-api-key']),
    deadline: new Deadline(60_000),
    ...(headers['accept-encoding']?.includes('gzip') && { gzip: true as const }),
  }
}

function send({ status, headers, body }: Incoming, response: ServerResponse): void {
  const isPacked = headers['content-encoding'] === 'gzip'
  const bytes = isPacked ? gzipSync(body) : Buffer.from(body)
  const usage = headers['x-request-usage']
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...(usage !== undefined && { 'x-request-usage': usage }),
  })
  response.end(bytes)
}
