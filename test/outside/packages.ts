import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installSuite } from '../suite.ts'

/** Why the suites cannot run, or null. */
export const missing = await installSuite(import.meta.dirname)

const require = createRequire(join(import.meta.dirname, 'package.json'))

interface AuditResult {
  readonly id: string
  readonly name: string
  readonly status: 'ok' | 'warn' | 'error' | 'notice'
  readonly reason?: string
}

interface Records {
  get(id: string): Record<string, unknown> | undefined
  getRecordIDs(): readonly string[]
}

interface Environment {
  getStore(): { getSource(): Records }
  lookup(selector: unknown): { readonly data: unknown }
}

interface UrqlClient {
  query(
    text: string,
    variables: object,
  ): { toPromise(): Promise<{ readonly data?: unknown; readonly error?: Error }> }
  readQuery(text: string, variables: object): { readonly data?: unknown } | null
}

/** The types of packages that are installed when the suites run, which is after the code was compiled. */
interface Packages {
  '@urql/core': { Client: new (options: unknown) => UrqlClient; fetchExchange: unknown }
  '@urql/exchange-graphcache': { cacheExchange(options: unknown): unknown }
  'graphql-http': { auditServer(options: { url: string }): Promise<AuditResult[]> }
  'relay-runtime': {
    Environment: new (options: unknown) => Environment
    Network: {
      create(
        fetch: (request: { text: string }, variables: unknown) => Promise<unknown>,
        subscribe?: (request: { text: string }, variables: Record<string, unknown>) => unknown,
      ): unknown
    }
    Observable: { create(source: (sink: never) => () => void): unknown }
    requestSubscription(
      environment: Environment,
      config: { subscription: unknown; variables: unknown; onNext: (data: unknown) => void },
    ): { dispose(): void }
    RecordSource: new () => unknown
    Store: new (source: unknown) => unknown
    createOperationDescriptor(query: unknown, variables: unknown): { readonly fragment: unknown }
    fetchQuery(
      environment: Environment,
      query: unknown,
      variables: unknown,
    ): { toPromise(): Promise<unknown> }
  }
}

/** A package of these suites. */
export const packageOf = <Name extends keyof Packages>(name: Name): Packages[Name] =>
  require(name) as Packages[Name] // as the package’s own types have it

/** What Relay’s compiler made of a query of `relay/src`. */
export const compiled = (name: string): unknown => require(`./relay/__generated__/${name}.graphql.js`)
