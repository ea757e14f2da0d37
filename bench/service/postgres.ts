import { Client } from 'pg'
import { startPostgres } from '../../test/service/postgres.ts'

/** A PostgreSQL with an empty database. */
export interface Postgres {
  readonly url: string
  close(): Promise<void>
}

/**
 * An own database on the server of TEST_DATABASE_URL, or on an installed server; null if there is neither.
 */
export async function openPostgres(): Promise<Postgres | null> {
  const given = process.env['TEST_DATABASE_URL']
  // PostgreSQL's default settings, durable writes included.
  const server = given === undefined ? startPostgres('') : { url: given, stop: () => {} }
  if (!server) return null
  const name = `statline_bench_${process.pid}`
  await command(server.url, `create database ${name}`)
  const address = new URL(server.url)
  address.pathname = `/${name}`
  return {
    url: address.href,
    async close() {
      await command(server.url, `drop database ${name} with (force)`)
      server.stop()
    },
  }
}

async function command(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
