import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'

const program = resolve(import.meta.dirname, '../dist/main.js')

/** Statline as a process of its own, from its build, once it listens. */
export async function started(environment: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
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
