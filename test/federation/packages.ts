import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { installSuite } from '../suite.ts'

/** The example that this suite runs, as its reader would. */
export const example = resolve(import.meta.dirname, '../../examples/supergraph')

/** Why the suite cannot run, or null. */
export const missing = (await installSuite(example)) ?? (await installSuite(import.meta.dirname))

interface Subgraph {
  readonly name: string
  readonly url: string
  readonly typeDefs: unknown
}

interface Composed {
  readonly supergraphSdl?: string
  readonly errors?: readonly { readonly message: string }[]
}

interface Executed {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string }[]
}

/** What this suite uses of packages that are there once it is installed, which is after the code was compiled. */
interface Packages {
  graphql: { parse(text: string): unknown }
  '@apollo/composition': { composeServices(services: readonly Subgraph[]): Composed }
  '@theguild/federation-composition': { composeServices(services: readonly Subgraph[]): Composed }
  '@wundergraph/composition': {
    federateSubgraphs(options: {
      subgraphs: readonly { name: string; url: string; definitions: unknown }[]
    }): { readonly success: boolean; readonly errors?: readonly { readonly message: string }[] }
  }
  '@apollo/gateway': {
    ApolloGateway: new (options: { supergraphSdl: string }) => {
      load(): Promise<{ executor(request: unknown): Promise<Executed> }>
      stop(): Promise<void>
    }
  }
}

const requires = [example, import.meta.dirname].map((folder) => createRequire(join(folder, 'package.json')))

/** A package of this suite, or of the example. */
export function packageOf<Name extends keyof Packages>(name: Name): Packages[Name] {
  const [ofExample, ofSuite] = requires
  const from = name.startsWith('@theguild') ? ofExample : ofSuite
  return from?.(name) as Packages[Name] // as the package’s own types have it
}
