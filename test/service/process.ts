import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { ServiceSettings } from '../../src/service/serve.ts'

const root = resolve(import.meta.dirname, '../..')

/** The service compiled into a folder of its own, to be run as processes that can be killed. */
export interface Compiled {
  start(args: readonly string[], settings: ServiceSettings): Running
  remove(): void
}

export interface Running {
  readonly child: ChildProcess
  /** What it has written so far, both streams together. */
  output(): string
  /** Resolves when the output matches. */
  said(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends it, and resolves with its exit code: null for one that was killed. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

export async function compileService(): Promise<Compiled> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-built-'))
  const options = {
    outDir: join(folder, 'dist'),
    rootDir: join(root, 'src'),
    incremental: false,
    declaration: false,
  }
  const project = {
    extends: join(root, 'tsconfig.build.json'),
    compilerOptions: { ...options, tsBuildInfoFile: null },
    include: [join(root, 'src/service')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'run.js'), script)
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder])
  return {
    start: (args, settings) => start(folder, args, settings),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const script = `import { runServiceCommand } from './dist/service/command.js'
const [settings, ...args] = process.argv.slice(2)
process.exitCode = await runServiceCommand(args, JSON.parse(settings))
`

function start(folder: string, args: readonly string[], settings: ServiceSettings): Running {
  const child = spawn(process.execPath, [join(folder, 'run.js'), JSON.stringify(settings), ...args])
  let text = ''
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  child.stderr.on('data', (chunk) => (text += String(chunk)))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  return {
    child,
    output: () => text,
    said: (pattern) =>
      until(
        () => pattern.exec(text),
        ended,
        () => text,
      ),
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

async function until<T>(look: () => T | null, ended: Promise<unknown>, output: () => string): Promise<T> {
  let over = false
  void ended.then(() => (over = true))
  for (;;) {
    const found = look()
    if (found !== null) return found
    if (over) throw new Error(`The process ended: ${output()}`)
    await new Promise((wait) => setTimeout(wait, 20))
  }
}
