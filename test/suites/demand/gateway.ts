import { join } from 'node:path'
import { example, packageOf } from '../../federation/packages.ts'

/** What a gateway that controls demand answers. */
export interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
  readonly extensions: { readonly cost: { readonly estimated: number; readonly max: number } }
}

interface Runtime {
  createGatewayRuntime(options: {
    supergraph: string
    logging: boolean
    demandControl: { maxCost: number; includeExtensionMetadata: boolean }
  }): { fetch(url: string, init: RequestInit): Promise<Response> } & AsyncDisposable
}

/** Hive Gateway over one subgraph. It refuses queries whose estimated cost exceeds a maximum. */
export async function startGateway(subgraph: { url: string; sdl: string }, maxCost: number) {
  const { composeServices } = packageOf('@theguild/federation-composition')
  const typeDefs = packageOf('graphql').parse(subgraph.sdl)
  const { supergraphSdl = '' } = composeServices([{ name: 'statline', url: subgraph.url, typeDefs }])
  const path = join(example, 'node_modules/@graphql-hive/gateway-runtime/dist/index.js')
  const { createGatewayRuntime } = (await import(path)) as Runtime // as the package’s own types have it
  const gateway = createGatewayRuntime({
    supergraph: supergraphSdl,
    logging: false,
    demandControl: { maxCost, includeExtensionMetadata: true },
  })
  return {
    async ask(query: string): Promise<Answer> {
      const response = await gateway.fetch('http://gateway.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      return (await response.json()) as Answer // what a gateway answers
    },
    close: () => gateway[Symbol.asyncDispose](),
  }
}
