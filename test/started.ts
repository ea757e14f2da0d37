import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'

const program = resolve(import.meta.dirname, '../dist/main.js')

/**
 * Statline as a process of its own, from its build, once it listens. `onWarning` is told what it warns of.
 */
export async function started(
  environment: Record<string, string>,
  onWarning: (text: string) => void = (text) => void process.stderr.write(text),
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
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
