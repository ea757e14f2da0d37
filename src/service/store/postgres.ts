import { PostgresDialect } from 'kysely'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Client, Pool, types } from 'pg'
import type { ClientConfig, PoolClient } from 'pg'
import { greatestAge, jittered } from '../../greatest-age.ts'

/** Time limits in milliseconds. A frozen database sends neither answers nor errors. */
export interface Waits {
  /** For connecting, including the server's greeting. */
  readonly connect: number
  /** For a connection to become free, if all are in use. */
  readonly free: number
  /** For a statement of a request. */
  readonly statement: number
  /** For a statement of an import, a migration or the live league: some scan a whole table. */
  readonly work: number
  /** Of a connection, after which it is replaced once it is free. */
  readonly age: number
}

/** With a frozen database, a request is refused before Statline's own limit of ten seconds. */
export const defaultWaits: Waits = {
  connect: 4_000,
  free: 8_000,
  statement: 5_000,
  work: 120_000,
  age: greatestAge,
}

/**
 * The server cancels slow statements. If the server itself is silent, the client gives up this much later.
 */
export const SILENCE_MS = 500

const INT8 = 20

// Eight-byte integers are read as numbers: none here exceeds 2^53.
const getTypeParser: typeof types.getTypeParser = (oid, format) =>
  oid === INT8 ? Number : types.getTypeParser(oid, format)

/** The settings of every connection. */
export const clientConfig = (url: string) => ({
  connectionString: url,
  keepAlive: true,
  types: { getTypeParser },
})

/** A pool of connections to the PostgreSQL at `url` for requests, with short statements only. */
export const requestPool = (url: string, waits: Waits = defaultWaits): Pool =>
  poolOf(waits, {
    ...clientConfig(url),
    max: 6,
    statement_timeout: waits.statement,
    query_timeout: waits.statement + SILENCE_MS,
  })

/** A pool of connections for long work. */
export const workPool = (url: string, waits: Waits = defaultWaits): Pool =>
  poolOf(waits, { ...clientConfig(url), max: 4, query_timeout: waits.work })

/** Kysely's connection to a pool. */
export const dialectOf = (pool: Pool): PostgresDialect => new PostgresDialect({ pool: withoutSilent(pool) })

function poolOf(waits: Waits, config: ClientConfig & { readonly max: number }): Pool {
  /**
   * The pool's own time limit includes its queue, where many requests may wait longer than a connection
   * takes.
   */
  class PromptClient extends Client {
    constructor(given?: ClientConfig) {
      super({ ...given, connectionTimeoutMillis: waits.connect })
    }
  }
  return new Pool({
    ...config,
    connectionTimeoutMillis: waits.free,
    maxLifetimeSeconds: jittered(waits.age) / 1_000,
    Client: PromptClient,
  })
}

/** The published types lack `unref`. */
export type Closing = Client & { unref(): void }

/** A pool that discards a connection without an answer: the next statement would wait behind it. */
function withoutSilent(pool: Pool): PostgresPool {
  const clients = new Set<Closing>()
  // A connection that the server drops is replaced at the next query. Without a listener it ends the process:
  // the pool's own hears of idle ones alone.
  pool.on('error', () => {})
  pool.on('connect', (given) => {
    const client = given as unknown as Closing // the pool makes clients of the given class
    clients.add(client)
    client.on('error', () => {})
    client.once('end', () => clients.delete(client))
  })
  return {
    connect: async () => releasing(await pool.connect()),
    async end() {
      await pool.end()
      // A silent server does not close its side, which would keep this process running.
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
  // Kysely's client has a second form of query for cursors, which the dialect uses only if one is given.
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(isSilent) }
}

const isReadTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'
