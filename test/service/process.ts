import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import type { ServiceSettings } from '../../src/service/serve.ts'

const root = resolve(import.meta.dirname, '../..')

export interface Running {
  readonly child: ChildProcess
  /** What it has written so far, both streams together. */
  output(): string
  /** Resolves when the output matches. */
  said(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends it, and resolves with its exit code: null for one that was killed. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

const script = `import { runServiceCommand } from ${JSON.stringify(resolve(root, 'dist/service/command.js'))}
const [settings, ...args] = process.argv.slice(1)
process.exitCode = await runServiceCommand(args, JSON.parse(settings))
`

/** The service from Statline's build as a process that can be killed. */
export function startProcess(args: readonly string[], settings: ServiceSettings): Running {
  const words = ['--input-type=module', '-e', script, '--', JSON.stringify(settings), ...args]
  const child = spawn(process.execPath, words)
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
