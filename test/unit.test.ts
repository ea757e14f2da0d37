import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import picomatch from 'picomatch'
import { expect, test } from 'vitest'
import { unit } from './unit.ts'

const root = resolve(import.meta.dirname, '..')

/** What makes a test slow to load, or makes it need a setup. What is imported later, if at all, does not count. */
const heavy =
  /^(node:(child_process|http|https|net)|undici|pg|libsql|@redis\/client|graphql-yoga)$|^src\/(schema\.ts|server\/|start\/)/

const imported =
  /^(?:import|export)\b(?!\s+type\b)[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(imported)].map(([, from, bare]) => {
    const module = from ?? bare ?? ''
    return module.startsWith('.') ? relative(root, resolve(root, dirname(file), module)) : module
  })
}

/** The first way from a file to something heavy, as a list of modules; null if there is none. */
function wayToHeavy(file: string, seen: Set<string>): readonly string[] | null {
  if (heavy.test(file)) return [file]
  if (seen.has(file) || !/\.tsx?$/.test(file)) return null
  seen.add(file)
  for (const module of importsOf(file)) {
    const way = wayToHeavy(module, seen)
    if (way) return [file, ...way]
  }
  return null
}

const isUnit = picomatch(unit)

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter((name) => isUnit(name))

test('a unit test loads no server, no database and no process', () => {
  expect(wayToHeavy('test/graph/harness.ts', new Set())).toContain('src/server/app.ts')
  expect(files.map((file) => wayToHeavy(file, new Set())).filter((way) => way !== null)).toEqual([])
})

test('a unit test asks for nothing that a setup provides', () => {
  const asking = files.filter((file) => /\binject\(/.test(readFileSync(join(root, file), 'utf8')))
  expect(asking.filter((file) => file !== 'test/unit.test.ts')).toEqual([])
})

test.each(unit)('%s names files that are there', (pattern) => {
  const names = picomatch.scan(pattern).isGlob ? files.filter((file) => picomatch(pattern)(file)) : [pattern]
  expect(names).not.toEqual([])
  expect(names.filter((name) => !files.includes(name))).toEqual([])
})
