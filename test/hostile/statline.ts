import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sampleBasketball } from '../../src/service/sample/ids.ts'

export interface Used {
  /** In use, after a garbage collection. */
  readonly bytes: number
  /** Milliseconds of CPU since the start. */
  readonly cpu: number
}

export interface Statline {
  /** Of its graph. */
  readonly url: string
  used(): Promise<Used>
  /** What it has printed, if it has ended; otherwise empty. */
  readonly ending: () => string
  close(): void
}

/** Starts the built Statline with 256 MB over a service. Its date stands still at the moment. */
export async function startStatline(
  { url: service, apiKey }: { readonly url: string; readonly apiKey: string },
  moment: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Statline> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-hostile-'))
  const env = {
    NODE_ENV: 'production',
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'error',
    UPSTREAM_URL: service,
    UPSTREAM_API_KEY: apiKey,
    DEFAULT_ORGANIZATION_ID: sampleBasketball.organizationId,
    DEFAULT_DIVISION_ID: sampleBasketball.divisionId,
    HOSTILE_MOMENT: String(moment),
    ...settings,
  }
  const preload = pathToFileURL(resolve('test/hostile/preload.mjs')).href
  const execArgv = [
    '--max-old-space-size=256',
    '--max-semi-space-size=16',
    '--expose-gc',
    '--import',
    preload,
  ]
  const child = fork(resolve('dist/main.js'), { env, execArgv, silent: true })
  let output = ''
  const url = await new Promise<string>((is, failed) => {
    const read = (text: Buffer) => {
      output += text.toString()
      const [, listening] = /The graph listens on (\S+)/.exec(output) ?? []
      if (listening !== undefined) is(listening)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code, signal) => {
      output += `Statline ended by ${code ?? signal}.`
      failed(new Error(output))
    })
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    url,
    ending: () => (hasEnded() ? output : ''),
    used: () =>
      new Promise((is, failed) => {
        if (hasEnded()) return failed(new Error(output))
        child.once('message', (used) => is(used as Used)) // as the preload sends it
        child.send('used')
      }),
    close() {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
