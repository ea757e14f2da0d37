import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { usageOf } from '../../src/commands/command.ts'
import type { Command } from '../../src/commands/command.ts'

const src = resolve(import.meta.dirname, '../../src')

const whole: Command = { summary: 'what it does', help: 'statline whole', run: async () => 0 }

test('the list of commands has a line for each, with their texts one below the other', () => {
  expect(usageOf({ short: whole, longest: { ...whole, summary: 'what that does' } })).toBe(
    'statline short    what it does\nstatline longest  what that does',
  )
})

test('a command without its line, its help or its work does not compile', () => {
  const { summary, help, run } = whole
  // @ts-expect-error: no line in the list
  const unlisted: Command = { help, run }
  // @ts-expect-error: no help
  const unexplained: Command = { summary, run }
  // @ts-expect-error: nothing to run
  const idle: Command = { summary, help }
  expect([unlisted, unexplained, idle]).toHaveLength(3)
})

test('every command is in the list', () => {
  const folder = join(src, 'commands')
  const helps = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^export const (\w+Help)\b/gm)].map(
      ([, name]) => name,
    ),
  )
  expect(helps).toContain('billHelp')
  const list = readFileSync(join(src, 'statline.ts'), 'utf8')
  expect(helps.filter((name) => !list.includes(`help: ${name},`))).toEqual([])
})
