import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

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

/**
 * Installs the packages of a suite with its own lockfile, once. Resolves with why it could not, or null:
 * without a network the suite is skipped with that reason. Throws if the lockfile is wrong.
 */
export async function installSuite(folder: string): Promise<string | null> {
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return null
  const { code, output } = await run(folder, 'npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline')
  if (code === 0) return null
  if (noNetwork.test(output)) return 'its packages cannot be downloaded'
  throw new Error(output)
}
