import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { BreakingChangeType, buildSchema, findBreakingChanges } from 'graphql'
import { expect, test } from 'vitest'
import { printedSchema } from '../../src/graph/print.ts'

const released = readFileSync(resolve(import.meta.dirname, '../../schema/released.graphql'), 'utf8')

/** What would break queries written against what was released. */
const breaking = (sdl: string) => findBreakingChanges(buildSchema(released), buildSchema(sdl))

test('the graph breaks no query written against what was released', () => {
  const changes = breaking(printedSchema()).map(({ description }) => description)
  expect(changes, 'docs/decisions/schema-changes.md tells how a change is accepted').toEqual([])
})

test.each([
  ['a field that is gone', /^ +homeScore: .*\n/m, '', BreakingChangeType.FIELD_REMOVED],
  ['a type that is gone', /\btype Transfer\b/g, 'type Move', BreakingChangeType.TYPE_REMOVED],
  ['a value that is gone', /^ +COACHES\n/m, '', BreakingChangeType.VALUE_REMOVED_FROM_ENUM],
  ['a null where there was none', /gameId: ID!/, 'gameId: ID', BreakingChangeType.FIELD_CHANGED_KIND],
  [
    'an argument that could be left out before',
    /gameLog\(season: Int\)/,
    'gameLog(season: Int!)',
    BreakingChangeType.ARG_CHANGED_KIND,
  ],
])('%s is noticed', (_what, before, after, type) => {
  const sdl = printedSchema()
    .replaceAll(/"""[\s\S]*?"""\n?/g, '')
    .replace(before, after)
  // Whatever refers to the type by its old name still has it to refer to.
  const whole = type === BreakingChangeType.TYPE_REMOVED ? sdl.replaceAll(/\[?Transfer!?\]?/g, 'Move') : sdl
  expect(breaking(whole).map((change) => change.type)).toContain(type)
})
