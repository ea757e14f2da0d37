import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { growingBelow, growingIn } from './growing.ts'

const root = join(import.meta.dirname, '../..')
const page = 'docs/decisions/memory.md'

/** What the page lists, as `file: name`, by its row. */
function listed(): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const row of readFileSync(join(root, page), 'utf8').split('\n')) {
    const [, file = '', all = ''] = /^\| `([^`]+)`: ([^|]+) \|/.exec(row) ?? []
    for (const [, name = ''] of all.matchAll(/`(\w+)`/g)) names.set(`${file}: ${name}`, row)
  }
  return names
}

const advice = `${page} says what to do`

test('all that can grow and outlives the call that has made it is listed, with its bound', () => {
  const found = growingBelow(join(root, 'src'))
  const known = listed()
  expect(found.length).toBeGreaterThan(200)
  expect([`Not listed (${advice}):`, found.filter((name) => !known.has(name))]).toEqual([
    `Not listed (${advice}):`,
    [],
  ])
  const gone = [...known.keys()].filter((name) => !found.includes(name))
  expect(['Listed, but not in the sources:', gone]).toEqual(['Listed, but not in the sources:', []])
})

test('what outlives a request has a key, a bound, and a cause', () => {
  const rows = [...listed().values()].map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  expect(rows.filter((cells) => cells.includes('') || (cells.length !== 4 && cells.length !== 2))).toEqual([])
})

describe('in a source, it is found that', () => {
  test.each([
    ['a field grows, which any file may fill', 'class A { readonly #kept = new Map<string, number>() }'],
    ['a field that is made later grows', 'class A { b() { this.kept ??= new Set(); this.kept.add(1) } }'],
    ['a cache grows wherever it is', 'export const made = () => ({ kept: new LRUCache({ max: 1 }) })'],
    ['a list of a module grows', 'const kept: string[] = []\nexport const a = (b: string) => kept.push(b)'],
    ['an object of a module grows', 'const kept = {} as C\nexport const a = (b: string) => { kept[b] = 1 }'],
    [
      'a variable grows that a function leaves to another one',
      'function a() { const kept = new Map(); return (b: string) => kept.set(b, 1) }',
    ],
    [
      'a variable grows that a function leaves to a listener',
      'function a(c: C) { const kept = new Set(); c.on("b", (b) => { kept.add(b) }) }',
    ],
    [
      'a member of an object grows',
      'export function a() { const c = { kept: new Map() }; c.kept.set(1, 2) }',
    ],
  ])('%s', (_what, text) => {
    expect(growingIn(text)).toEqual(['kept'])
  })

  test.each([
    ['a constant', 'const known = new Set(["a"])\nexport const a = (b: string) => known.has(b)'],
    ['what is local to a function', 'function a() { const b = new Map(); b.set(1, 2); return b.size }'],
    [
      'what a callback fills that is called at once',
      'function a(c: C) { const b = []; c.forEach((d) => b.push(d)); return b }',
    ],
  ])('%s does not grow', (_what, text) => {
    expect(growingIn(text)).toEqual([])
  })
})
