import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../made-once.ts'
import { installed, startPostgres, stopPostgres } from './postgres.ts'

const given = process.env['TEST_DATABASE_URL']

/** Whether there is a PostgreSQL in which tests may create databases. */
export const hasPostgres = given !== undefined || installed !== undefined

interface Written {
  readonly url: string
  readonly folder: string
}

const fileIn = (shared: string) => join(shared, 'server.json')

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Written // as it was written below

/** The server of a test run, started by the first process that asks. `shared` is a folder of the run. */
export async function sharedPostgres(shared: string): Promise<string> {
  if (given !== undefined) return given
  const file = fileIn(shared)
  await once(file, async () => {
    const started = startPostgres()
    if (!started) throw new Error('No PostgreSQL is installed.')
    const { url, folder } = started
    writeFileSync(`${file}.new`, JSON.stringify({ url, folder } satisfies Written))
    renameSync(`${file}.new`, file)
  })
  return read(file).url
}

/** Stops it, if a test has started it. */
export function stopShared(shared: string): void {
  const file = fileIn(shared)
  if (existsSync(file)) stopPostgres(read(file).folder)
}
