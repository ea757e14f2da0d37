import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'statline-memory-'))

beforeAll(async () => {
  const options = { outDir: join(folder, 'dist'), rootDir: root, noEmit: false, incremental: false }
  const project = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { ...options, typeRoots: [join(root, 'node_modules/@types')] },
    include: ['many-keys.ts', 'cold-answers.ts'].map((name) => join(root, 'test/memory', name)),
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
