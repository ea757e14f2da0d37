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

/** A node of a federated trace, as Apollo's own reader has it. */
export interface TraceNode {
  readonly responseName: string
  readonly index: number
  readonly originalFieldName: string
  readonly type: string
  readonly parentType: string
  /** Nanoseconds after the trace's beginning. */
  readonly startTime: number
  readonly endTime: number
  readonly error: readonly { readonly message: string; readonly json: string }[]
  readonly child: readonly TraceNode[]
}

interface Trace {
  readonly startTime: { readonly seconds: number; readonly nanos: number }
  readonly endTime: { readonly seconds: number; readonly nanos: number }
  readonly durationNs: number
  readonly root: TraceNode
}

interface Executed {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string }[]
}

/** The types of packages that are installed when the suite runs, which is after the code was compiled. */
interface Packages {
  graphql: { parse(text: string): unknown }
  '@apollo/composition': { composeServices(services: readonly Subgraph[]): Composed }
  '@theguild/federation-composition': { composeServices(services: readonly Subgraph[]): Composed }
  '@wundergraph/composition': {
    federateSubgraphs(options: {
      subgraphs: readonly { name: string; url: string; definitions: unknown }[]
    }): { readonly success: boolean; readonly errors?: readonly { readonly message: string }[] }
  }
  '@apollo/usage-reporting-protobuf': {
    Trace: { decode(bytes: Uint8Array): unknown; toObject(trace: unknown, options: object): Trace }
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
