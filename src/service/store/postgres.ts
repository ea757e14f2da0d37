import { PostgresDialect } from 'kysely'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Client, Pool, types } from 'pg'
import type { ClientConfig, PoolClient } from 'pg'

/** Time limits in milliseconds. A database that is frozen answers nothing, and no error comes from it. */
export interface Waits {
  /** For a connection to be made, up to the server's greeting. */
  readonly connect: number
  /** For a connection to become free, where all are in use. */
  readonly free: number
  /** For a statement of a request. */
  readonly statement: number
  /** For a statement of an import, a migration or the live league: some go through a whole table. */
  readonly work: number
}

/** A request that meets a frozen database is refused before Statline's own time limit of ten seconds. */
export const defaultWaits: Waits = { connect: 4_000, free: 8_000, statement: 5_000, work: 120_000 }

/** The server ends a statement that is too slow; where the server itself is silent, the client gives up this much later. */
export const SILENCE_MS = 500

const INT8 = 20

// Integers of eight bytes come as numbers: none here passes 2^53.
const getTypeParser: typeof types.getTypeParser = (oid, format) =>
  oid === INT8 ? Number : types.getTypeParser(oid, format)

/** What every connection has. */
export const clientConfig = (url: string) => ({
  connectionString: url,
  keepAlive: true,
  types: { getTypeParser },
})

/** A pool of connections to the PostgreSQL at `url` for requests: short statements alone. */
export const requestPool = (url: string, waits: Waits = defaultWaits): Pool =>
  poolOf(waits, {
    ...clientConfig(url),
    max: 6,
    statement_timeout: waits.statement,
    query_timeout: waits.statement + SILENCE_MS,
  })

/** A pool of connections for work that takes its time. */
export const workPool = (url: string, waits: Waits = defaultWaits): Pool =>
  poolOf(waits, { ...clientConfig(url), max: 4, query_timeout: waits.work })

/** Kysely's way to a pool. */
export const dialectOf = (pool: Pool): PostgresDialect => new PostgresDialect({ pool: withoutSilent(pool) })

function poolOf(waits: Waits, config: ClientConfig & { readonly max: number }): Pool {
  /** The pool's own limit is for waiting in its queue, too, where a crowd may take longer than a connection. */
  class PromptClient extends Client {
    constructor(given?: ClientConfig) {
      super({ ...given, connectionTimeoutMillis: waits.connect })
    }
  }
  return new Pool({
    ...config,
    connectionTimeoutMillis: waits.free,
    Client: PromptClient,
  })
}

/** The published types leave out `unref`. */
export type Closing = Client & { unref(): void }

/** A pool that gives up a connection on which a statement got no answer: the next one would wait behind it. */
function withoutSilent(pool: Pool): PostgresPool {
  const clients = new Set<Closing>()
  // A connection that the server drops is replaced at the next query. Without a listener it ends the process: the pool's own hears
  // of idle ones alone.
  pool.on('error', () => {})
  pool.on('connect', (given) => {
    const client = given as unknown as Closing // the pool makes clients of the class it is given
    clients.add(client)
    client.on('error', () => {})
    client.once('end', () => clients.delete(client))
  })
  return {
    connect: async () => releasing(await pool.connect()),
    async end() {
      await pool.end()
      // A silent server does not close its side, and must not keep the process.
      for (const client of clients) client.unref()
    },
  }
}

function releasing(client: PoolClient): PostgresPoolClient {
  let isSilent = false
  const query = (sql: string, parameters: readonly unknown[]) =>
    client.query(sql, [...parameters]).catch((error: unknown) => {
      isSilent ||= isReadTimeout(error)
      throw error
    })
  // Kysely's client has a second form of query, for cursors, which the dialect uses only where it is given one.
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(isSilent) }
}

const isReadTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'
