import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = import.meta.dirname

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/node_modules|dist\//.test(name) && name !== 'patience.test.ts')
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** The calls of `vi.waitFor`, each to its last parenthesis. */
function waitsIn(text: string): readonly string[] {
  const [, ...rests] = text.split('vi.waitFor(')
  return rests.map((rest) => {
    let depth = 1
    const end = [...rest].findIndex((letter) => {
      if (letter === '(') depth += 1
      if (letter === ')') depth -= 1
      return depth === 0
    })
    return rest.slice(0, end)
  })
}

test('no test gives a condition less time than a slow machine may need, as vitest does by itself', () => {
  const short = files.flatMap(({ name, text }) =>
    [
      ...waitsIn(text).filter((wait) => !wait.includes('patience')),
      ...(text.match(/\btimeout: \d{2,3}_000\b.*/g) ?? []),
    ].map((found) => `${name}: ${found}`),
  )
  expect(short).toEqual([])
})
