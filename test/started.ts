import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'

/** Statline from its build. */
export const program: readonly string[] = [process.execPath, resolve(import.meta.dirname, '../dist/main.js')]

/**
 * The same, waiting up to 30 seconds for Redis instead of 50 ms: for tests of instances that share one, on a machine
 * that is busy with the tests.
 */
export const patientProgram: readonly string[] = [
  process.execPath,
  '--import',
  resolve(import.meta.dirname, 'patient-redis.js'),
  ...program.slice(1),
]

/**
 * Statline as a process of its own, from its build, once it listens. `onWarning` is told what it warns of.
 */
export async function started(
  environment: Record<string, string>,
  onWarning: (text: string) => void = (text) => void process.stderr.write(text),
  command: readonly string[] = program,
): Promise<ChildProcess> {
  const [file = '', ...args] = command
  const child = spawn(file, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr?.on('data', (text: Buffer) => onWarning(text.toString()))
  await new Promise<void>((is, failed) => {
    child.once('exit', (code) => failed(new Error(`Statline ended with ${code}.`)))
    let output = ''
    child.stdout?.on('data', (text: Buffer) => {
      output += text.toString()
      if (output.includes('The graph listens')) is()
    })
  })
  child.removeAllListeners('exit')
  return child
}
