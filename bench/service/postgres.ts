import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

/** A PostgreSQL with an empty database. */
export interface Postgres {
  readonly url: string
  close(): Promise<void>
}

const servers = '/usr/lib/postgresql'

const installed = (existsSync(servers) ? readdirSync(servers) : [])
  .map((version) => join(servers, version, 'bin'))
  .filter((folder) => existsSync(join(folder, 'initdb')))
  .toSorted()
  .at(-1)

/** A database of its own on the server of TEST_DATABASE_URL, or a server that is installed; null where there is neither. */
export async function openPostgres(): Promise<Postgres | null> {
  const given = process.env['TEST_DATABASE_URL']
  if (given === undefined && installed === undefined) return null
  const server = given === undefined ? startServer(installed ?? '') : { url: given, stop: () => {} }
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

/** A server in a temporary folder, reached by a socket there. It refuses to run as root, so that root hands it over. */
function startServer(programs: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  const run = (program: string, ...rest: string[]) => {
    const line = [join(programs, program), '-D', join(folder, 'data'), ...rest]
    const [first = '', ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...line] : line
    execFileSync(first, args, { cwd: folder, stdio: 'ignore' })
  }
  run('initdb', '-A', 'trust', '-U', 'postgres', '--no-sync')
  run('pg_ctl', '-w', '-o', `-k ${folder} -c listen_addresses=`, '-l', join(folder, 'log'), 'start')
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: () => {
      run('pg_ctl', '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const idOf = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
