import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Postgres {
  readonly url: string
  readonly folder: string
  /** Stops all its processes, like a host that hangs: connections stay open, and nothing is answered. */
  freeze(): void
  thaw(): void
  stop(): void
}

const SERVERS = '/usr/lib/postgresql'

/** The programs of the newest version that is installed. */
export const installed = (existsSync(SERVERS) ? readdirSync(SERVERS) : [])
  .map((version) => join(SERVERS, version, 'bin'))
  .filter((folder) => existsSync(join(folder, 'initdb')))
  .toSorted()
  .at(-1)

/** A database that is gone in a moment need not outlive the machine. */
const careless = '-c fsync=off -c max_connections=200'

/**
 * A PostgreSQL server in a temporary folder, reached by a socket there; null if none is installed. It refuses
 * to run as root, so root starts it as another user.
 */
export function startPostgres(settings = careless): Postgres | null {
  if (installed === undefined) return null
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  run(folder, 'initdb', '-A', 'trust', '-U', 'postgres', '--no-sync')
  const options = `-k ${folder} -c listen_addresses= ${settings}`
  run(folder, 'pg_ctl', '-w', '-o', options, '-l', join(folder, 'log'), 'start')
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    folder,
    freeze: () => signal(folder, 'SIGSTOP'),
    thaw: () => signal(folder, 'SIGCONT'),
    stop: () => stopPostgres(folder),
  }
}

/** Stops the server of a folder, which may belong to another process, and deletes the folder. */
export function stopPostgres(folder: string): void {
  run(folder, 'pg_ctl', '-m', 'immediate', 'stop')
  rmSync(folder, { recursive: true, force: true })
}

const isRoot = process.getuid?.() === 0

function run(folder: string, program: string, ...rest: string[]): void {
  const line = [join(installed ?? '', program), '-D', join(folder, 'data'), ...rest]
  const [command = '', ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...line] : line
  execFileSync(command, args, { cwd: folder, stdio: 'ignore' })
}

function signal(folder: string, name: 'SIGSTOP' | 'SIGCONT'): void {
  const [server = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
  const processes = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ')
  for (const id of [server, ...processes]) {
    try {
      process.kill(Number(id), name)
    } catch (error) {
      // A process may have ended since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

const idOf = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
