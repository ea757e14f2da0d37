import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, inject } from 'vitest'
import { hasPostgres, sharedPostgres } from './shared-postgres.ts'

/** A database that a test may fill, and what to do when it is done. */
export interface Provided {
  readonly location: string
  dispose(): Promise<void>
}

export { hasPostgres }

export const withoutPostgres = hasPostgres
  ? ''
  : ' (skipped: no TEST_DATABASE_URL, and no PostgreSQL is installed)'

const embedded = async (): Promise<Provided> => {
  const location = mkdtempSync(join(tmpdir(), 'statline-'))
  return { location, dispose: async () => rmSync(location, { recursive: true, force: true }) }
}

let databases = 0

export async function postgres(): Promise<Provided> {
  const url = await sharedPostgres(inject('postgresFolder'))
  const name = `statline_${process.pid}_${Date.now()}_${++databases}`
  await command(url, `create database ${name}`)
  return {
    location: addressOf(url, name),
    dispose: () => command(url, `drop database ${name} with (force)`),
  }
}

function addressOf(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

async function command(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Runs a suite on the embedded database and on PostgreSQL. */
export function describeOnBoth(name: string, suite: (provide: () => Promise<Provided>) => void): void {
  describe(`${name}, embedded`, () => suite(embedded))
  describe.skipIf(!hasPostgres)(`${name}, PostgreSQL${withoutPostgres}`, () => suite(postgres))
}
