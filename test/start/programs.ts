import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import { basketball, startSample } from '../graph/harness.ts'
import { program } from '../started.ts'
import type { Sample } from '../graph/harness.ts'
import type { Json } from '../service/client.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Statline, whose drain of DRAIN_SECONDS=3600 lasts until SIGUSR2. After it, what is running may take as long as it
 * likes.
 */
export const heldProgram: readonly string[] = [
  process.execPath,
  '--import',
  join(import.meta.dirname, 'held-clock.js'),
  ...program.slice(1),
]

/** As the README has it, but for the build that comes before. */
export const npmStart: readonly string[] = ['npm', '--prefix', root, 'start', '--ignore-scripts']

export const league = {
  DEFAULT_ORGANIZATION_ID: basketball.organization_id,
  DEFAULT_DIVISION_ID: basketball.division_id,
}

export interface Running {
  readonly process: ChildProcess
  readonly url: string
  readonly output: () => string
  readonly exit: Promise<number | null>
}

export interface Programs {
  /** A folder of the test file’s own, removed after it. */
  readonly folder: string
  readonly sample: Sample
  /** Runs Statline, which is killed after the test if it still runs. */
  run(environment: Record<string, string>, command?: readonly string[]): Running
  /** The same, once it listens. Throws what it has printed if it ends before. */
  start(environment: Record<string, string>, command?: readonly string[]): Promise<Running>
}

/** The sample service for a test file, and Statline as processes over it. Called once, outside of any test. */
export async function startPrograms(): Promise<Programs> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-start-'))
  const sample = await startSample()
  const running: ChildProcess[] = []
  afterEach(() => {
    for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  })
  afterAll(async () => {
    await sample.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const run: Programs['run'] = (environment, [command = '', ...args] = program) => {
    const { PATH = '' } = process.env
    const env = { PATH, DATA_DIR: folder, PORT: '0', DRAIN_SECONDS: '0', ...environment }
    const child = spawn(command, args, { cwd: folder, env })
    running.push(child)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const exit = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
    return { process: child, url: '', output: () => output, exit }
  }

  const start: Programs['start'] = async (environment, command) => {
    const started = run(environment, command)
    // A machine that does something else besides may take long.
    for (let nth = 0; nth < 2_000; nth += 1) {
      const [, url] = /The graph listens on (\S+)\/graphql/.exec(started.output()) ?? []
      if (url) return { ...started, url }
      if (started.process.exitCode !== null) break
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`Statline did not start: ${started.output()}`)
  }

  return { folder, sample, run, start }
}

export async function ask(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Json & { errors?: Json[] }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
  return (await response.json()) as Json & { errors?: Json[] } // a GraphQL answer
}

/** Listens on a free port of this machine. Returns its address. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}
