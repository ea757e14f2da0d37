import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { once } from './made-once.ts'

const execute = promisify(execFile)

// The packages of a suite are built like a user's project, not as vitest runs them.
const env = { ...process.env, NODE_ENV: undefined }

export interface Ran {
  readonly code: number
  readonly output: string
}

/** Runs a program to its end. Resolves with its output of both streams, and its exit code. */
export async function run(cwd: string, program: string, ...args: string[]): Promise<Ran> {
  try {
    const { stdout, stderr } = await execute(program, args, { cwd, maxBuffer: 1e8, env })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    // execFile rejects with what it has read, and the code; without one if the program was not started or was killed.
    const { code, message, stdout = '', stderr = '' } = error as RunError
    const output = stdout + stderr
    return typeof code === 'number' ? { code, output } : { code: 1, output: `${output}${message}` }
  }
}

interface RunError extends Error {
  readonly code?: number | string | null
  readonly stdout?: string
  readonly stderr?: string
}

const noNetwork = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/

const cache = resolve(import.meta.dirname, '../node_modules/.cache/statline')

/** Milliseconds of each installation of this run, one a line. */
const installs = join(cache, 'installs')

export const forgetInstalls = () => rmSync(installs, { force: true })

/** Milliseconds that installing took in this run, summed over its processes. */
export const installTime = () =>
  existsSync(installs)
    ? readFileSync(installs, 'utf8')
        .split('\n')
        .reduce((sum, ms) => sum + Number(ms), 0)
    : 0

/**
 * Calls `install`, which makes the path, unless it is there. Other processes that need it wait meanwhile. The lock is
 * not in a folder of packages, because `npm ci` empties those.
 */
export async function installOnce(path: string, install: () => Promise<void>): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
  const measured = async () => {
    const begun = Date.now()
    await install()
    appendFileSync(installs, `${Date.now() - begun}\n`)
  }
  await once(path, measured, join(cache, `${name}.lock`))
}

/**
 * Installs the packages of a suite with its own lockfile, once. Resolves with why it could not, or null:
 * without a network the suite is skipped with that reason, but not in CI. Throws if the lockfile is wrong.
 */
export async function installSuite(folder: string): Promise<string | null> {
  let missing: string | null = null
  await installOnce(join(folder, 'node_modules', '.package-lock.json'), async () => {
    const { code, output } = await run(folder, 'npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline')
    if (code === 0) return
    if (!noNetwork.test(output) || process.env['CI']) throw new Error(output)
    missing = 'its packages cannot be downloaded'
  })
  return missing
}
