import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { budgetNameOf, ClientBudgetsError, readClientBudgets } from '../../src/money/client-budgets.ts'

const folder = mkdtempSync(join(tmpdir(), 'budgets-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(text: string): string {
  const file = join(folder, 'budgets.json')
  writeFileSync(file, text)
  return file
}

test('a file tells the monthly tokens of each client', () => {
  const budgets = readClientBudgets(fileOf('{ "scoreboard": 20000, "*": 5000 }'))
  expect([...budgets]).toEqual([
    ['scoreboard', 20_000],
    ['*', 5_000],
  ])
  expect(['scoreboard', 'other', '*'].map((name) => budgetNameOf(budgets, name))).toEqual([
    'scoreboard',
    '*',
    '*',
  ])
  expect(budgetNameOf(new Map(), 'scoreboard')).toBeNull()
})

test.each(['', '[]', '7', 'null', '{ "a": -1 }', '{ "a": "5" }', '{ "a": 1.5 }'])(
  'a file with %j is one line that names the variable',
  (text) => {
    const read = () => readClientBudgets(fileOf(text))
    expect(read).toThrow(ClientBudgetsError)
    expect(read).toThrow(/^CLIENT_BUDGETS names .*\.$/)
  },
)

test.each(['café', ' scoreboard', '', 'x'.repeat(65), 'tab\there'])(
  'a name that no client can have is one line that says why: %j',
  (name) => {
    const read = () => readClientBudgets(fileOf(JSON.stringify({ [name]: 5, scoreboard: 5 })))
    expect(read).toThrow(/^CLIENT_BUDGETS names .* no client can have the name .* at most 64 .*\.$/)
  },
)

test('a file that is missing is one line that names the variable', () => {
  expect(() => readClientBudgets(join(folder, 'nothing.json'))).toThrow(
    /^CLIENT_BUDGETS .* cannot be read\.$/,
  )
})
