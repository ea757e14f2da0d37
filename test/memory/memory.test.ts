import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'statline-memory-'))

beforeAll(async () => {
  const options = { outDir: join(folder, 'dist'), rootDir: root, noEmit: false, incremental: false }
  const project = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { ...options, typeRoots: [join(root, 'node_modules/@types')] },
    include: ['many-keys.ts', 'cold-answers.ts', 'long-inputs.ts'].map((name) =>
      join(root, 'test/memory', name),
    ),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('ever new keys and documents do not fill a heap of 80 MB', async () => {
  const script = join(folder, 'dist/test/memory/many-keys.js')
  const { stdout } = await run(process.execPath, ['--max-old-space-size=80', '--expose-gc', script, '150'])
  const { heap, calls } = JSON.parse(stdout) as { heap: number; calls: number } // as the script prints it
  expect(calls).toBe(300)
  expect(heap / 1e6).toBeLessThan(70)
})

test('a cold answer allocates at most 1 MB: a day of forty games with teams and lines', async () => {
  const script = join(folder, 'dist/test/memory/cold-answers.js')
  const room = ['--min-semi-space-size=64', '--max-semi-space-size=64', '--expose-gc']
  const { stdout } = await run(process.execPath, [...room, script])
  const { bytes, allocated, calls } = JSON.parse(stdout) as Record<'bytes' | 'allocated' | 'calls', number> // as the script prints it
  expect(bytes).toBeGreaterThan(80_000)
  expect(calls).toBe(2 * 400)
  expect(allocated).toBeGreaterThan(bytes)
  expect(allocated).toBeLessThan(1_000_000)
})

interface Told {
  /** Bytes, from when the caches were full to the end. */
  readonly grown: number
  /** Calls to the service, from the first input to the last. */
  readonly calls: number
}

describe('in a heap of 256 MB, a client that sends the longest inputs does not fill the memory', () => {
  let told: Readonly<Record<string, Told>>

  beforeAll(async () => {
    const script = join(folder, 'dist/test/memory/long-inputs.js')
    const { stdout } = await run(process.execPath, ['--max-old-space-size=256', '--expose-gc', script])
    told = JSON.parse(stdout) as typeof told // as the script prints it
  })

  /** Plans are dropped all at once when they take a sixteenth of the heap, so these may have as many at the end. */
  const dropped = new Set(['conditions of documents', 'selections of variables'])

  test('whatever kind of input it is: of most, all would be more than twice as many bytes', () => {
    const grown = Object.entries(told).filter(
      ([kind, one]) => one.grown > (dropped.has(kind) ? 20_000_000 : 4_000_000),
    )
    expect(Object.keys(told)).toHaveLength(25)
    expect(grown).toEqual([])
  })

  test('and pays for what is asked of the service, and for nothing else', () => {
    // Open subscriptions poll by real time.
    const asked = Object.entries(told).filter(([kind]) => !/subscription|WebSocket/.test(kind))
    const calls = asked.flatMap(([kind, one]) => (one.calls > 0 ? [[kind, one.calls] as const] : []))
    expect(Object.fromEntries(calls)).toEqual({
      'names of operations that a document lacks': 1,
      'ids in documents': 40,
      'documents of other keys': 40,
      'names of clients': 1_060,
      'keys that the service refuses': 1_500,
      'selections of variables': 17,
      'names that are searched for, as short as allowed': 400,
      'codes of leagues': 1,
      'days and seasons': 40,
    })
  })
})
