import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'

/**
 * Serves a supergraph. Passes each client's own key on to Statline, so that each pays for itself, and to no
 * other subgraph.
 */
export function startGateway(supergraph, port) {
  const gateway = createGatewayRuntime({
    supergraph,
    logging: 'error',
    propagateHeaders: {
      fromClientToSubgraphs({ request, subgraphName }) {
        const key = request.headers.get('x-api-key')
        return key && subgraphName === 'statline' ? { 'x-api-key': key } : {}
      },
    },
  })
  const server = createServer(gateway)
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}/graphql`,
        async close() {
          await new Promise((done) => server.close(done))
          await gateway[Symbol.asyncDispose]()
        },
      }),
    )
  })
}
