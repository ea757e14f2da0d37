import { resolve } from 'node:path'
import { run } from './suite.ts'

const root = resolve(import.meta.dirname, '..')

/**
 * Compiles Statline once, before any test starts it as a process. Two compilers at once would write the same
 * files while a third process reads them. A type error stops no test: what is compiled runs.
 */
export default async function setup(): Promise<void> {
  const { code, output } = await run(root, 'npm', 'run', '--silent', 'build')
  if (code !== 0) console.error(output)
}
