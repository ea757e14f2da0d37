import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe } from 'vitest'

/** A database that a test may fill, and what to do when it is done. */
export interface Provided {
  readonly location: string
  dispose(): Promise<void>
}

const SERVERS = '/usr/lib/postgresql'

const installed = (existsSync(SERVERS) ? readdirSync(SERVERS) : [])
  .map((version) => join(SERVERS, version, 'bin'))
  .filter((folder) => existsSync(join(folder, 'initdb')))
  .toSorted()
  .at(-1)

const given = process.env['TEST_DATABASE_URL']

export const hasPostgres = given !== undefined || installed !== undefined

export const withoutPostgres = hasPostgres
  ? ''
  : ' (skipped: no TEST_DATABASE_URL, and no PostgreSQL is installed)'

const embedded = async (): Promise<Provided> => {
  const location = mkdtempSync(join(tmpdir(), 'statline-'))
  return { location, dispose: async () => rmSync(location, { recursive: true, force: true }) }
}

export async function postgres(): Promise<Provided> {
  const server = given === undefined ? startServer() : { url: given, stop: () => {} }
  const name = `statline_${process.pid}_${Date.now()}`
  await command(server.url, `create database ${name}`)
  return {
    location: addressOf(server.url, name),
    dispose: async () => {
      await command(server.url, `drop database ${name} with (force)`)
      server.stop()
    },
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

/** A server of its own in a temporary folder, reached by a socket there. It refuses to run as root, so that root hands it over. */
function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  const run = (program: string, ...rest: string[]) => {
    const line = [join(installed ?? '', program), '-D', join(folder, 'data'), ...rest]
    const [command = '', ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...line] : line
    execFileSync(command, args, { cwd: folder, stdio: 'ignore' })
  }
  run('initdb', '-A', 'trust', '-U', 'postgres', '--no-sync')
  const settings = `-k ${folder} -c listen_addresses= -c fsync=off -c max_connections=60`
  run('pg_ctl', '-w', '-o', settings, '-l', join(folder, 'log'), 'start')
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: () => {
      run('pg_ctl', '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const idOf = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))

/** Runs a suite on the embedded database and on PostgreSQL. */
export function describeOnBoth(name: string, suite: (provide: () => Promise<Provided>) => void): void {
  describe(`${name}, embedded`, () => suite(embedded))
  describe.skipIf(!hasPostgres)(`${name}, PostgreSQL${withoutPostgres}`, () => suite(postgres))
}
