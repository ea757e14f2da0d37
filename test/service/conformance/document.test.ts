import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const here = import.meta.dirname

/** The rows of docs/conformance.md: the file and the name of each test that it names. */
const named = readFileSync(resolve(here, '../../../docs/conformance.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| .+ \| ((?:\.\.\/)?(?:rows|operations|access)) \| (.+) \|$/.exec(line))
  .flatMap((row) => (row ? [{ file: row[1] ?? '', name: row[2] ?? '' }] : []))

const sourceOf = (file: string) => readFileSync(resolve(here, `${file}.test.ts`), 'utf8')

const testNames = (file: string) =>
  [
    ...sourceOf(file).matchAll(
      /(?:test|test\.each\([\s\S]*?\]\s*(?:as const)?\)|test\.skipIf\(!hasTrial\))\(\s*(['`])([^'`]+)\1/g,
    ),
  ].map((found) => (found[2] ?? '').replace('${withoutTrial}', ''))

test('every test that docs/conformance.md names is there', () => {
  const missing = named.filter(({ file, name }) => !sourceOf(file).includes(name))
  expect(missing).toEqual([])
  expect(named.length).toBeGreaterThan(50)
})

test('every conformance test is named in docs/conformance.md', () => {
  const known = new Set(named.map(({ file, name }) => `${file}: ${name}`))
  const all = ['rows', 'operations', 'access'].flatMap((file) =>
    testNames(file).map((name) => `${file}: ${name}`),
  )
  expect(all.filter((name) => !known.has(name))).toEqual([])
  expect(all.length).toBeGreaterThan(50)
})
