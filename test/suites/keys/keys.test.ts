import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../../src/server/listen.ts'
import type { Listening } from '../../../src/server/listen.ts'
import { example, missing, packageOf } from '../../federation/packages.ts'

interface Example {
  startGateway(supergraph: string, port: number): Promise<Listening>
}

/** A subgraph of one field, which notes the keys that it is sent. */
async function startSubgraph(field: string, keys: unknown[]): Promise<Listening> {
  return listen(
    (request, response) => {
      keys.push(request.headers['x-api-key'])
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: { [field]: 1 } }))
    },
    '127.0.0.1',
    0,
  )
}

describe.skipIf(missing)(`a client’s own key${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const keys: Record<string, unknown[]> = { statline: [], tickets: [] }
  const running: Listening[] = []

  beforeAll(async () => {
    const { parse } = packageOf('graphql')
    const services = await Promise.all(
      Object.entries(keys).map(async ([name, sent]) => {
        const subgraph = await startSubgraph(name, sent)
        running.push(subgraph)
        return { name, url: subgraph.url, typeDefs: parse(`type Query { ${name}: Int }`) }
      }),
    )
    const { supergraphSdl = '' } = packageOf('@theguild/federation-composition').composeServices(services)
    const { startGateway } = (await import(join(example, 'gateway.js'))) as Example // as the example exports it
    running.push(await startGateway(supergraphSdl, 0))
  })
  afterAll(() => Promise.all(running.toReversed().map((one) => one.close())))

  it('goes on to Statline, and to no other subgraph', async () => {
    const response = await fetch(running.at(-1)?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'a-client-s-own' },
      body: JSON.stringify({ query: '{ statline tickets }' }),
    })
    expect(await response.json()).toEqual({ data: { statline: 1, tickets: 1 } })
    expect(keys).toEqual({ statline: ['a-client-s-own'], tickets: [undefined] })
  })
})
