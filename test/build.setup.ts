import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { hashOf } from './made-once.ts'
import { run } from './suite.ts'

const root = resolve(import.meta.dirname, '..')

const sources = ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json']

/** The compiler's own record. Its content changes whenever somebody compiles something else. */
const record = 'dist/.tsbuildinfo'

/** `npm ci` deletes it, and nothing beside it is tracked. */
const stamp = join(root, 'node_modules/.cache/statline/dist')

const isCompiled = () =>
  existsSync(stamp) &&
  existsSync(join(root, record)) &&
  readFileSync(stamp, 'utf8') === hashOf([...sources, record])

/**
 * Compiles Statline once for a state of its sources, before any test starts it as a process. Two compilers at once
 * would write the same files while a third process reads them. A type error stops no test: what is compiled runs.
 */
export default async function setup(): Promise<void> {
  if (isCompiled()) return
  const { code, output } = await run(root, 'npm', 'run', '--silent', 'build')
  if (code !== 0) return console.error(output)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hashOf([...sources, record]))
}
