import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { BreakingChangeType, buildSchema, findBreakingChanges, parse, print, visit } from 'graphql'
import { expect, test } from 'vitest'
import { printedSchema } from '../../src/schema.ts'

const released = readFileSync(resolve(import.meta.dirname, '../../schema/released.graphql'), 'utf8')

/** What would break queries written against what was released. */
const breaking = (sdl: string) => findBreakingChanges(buildSchema(released), buildSchema(sdl))

const undescribed = (sdl: string) =>
  print(visit(parse(sdl), { enter: (node) => ({ ...node, description: undefined }) }))

test('the graph breaks no query written against what was released', () => {
  const changes = breaking(printedSchema()).map(({ description }) => description)
  expect(changes, 'docs/decisions/schema-changes.md tells how a change is accepted').toEqual([])
})

test.each([
  ['a field that is gone', /^ +homeScore: .*\n/m, '', BreakingChangeType.FIELD_REMOVED],
  ['a type that is gone', /\bTransfer\b/g, 'Move', BreakingChangeType.TYPE_REMOVED],
  ['a value that is gone', /^ +COACHES\n/m, '', BreakingChangeType.VALUE_REMOVED_FROM_ENUM],
  ['a null where there was none', /gameId: ID!/, 'gameId: ID', BreakingChangeType.FIELD_CHANGED_KIND],
  [
    'an argument that could be left out before',
    /gameLog\(season: Int\)/,
    'gameLog(season: Int!)',
    BreakingChangeType.ARG_CHANGED_KIND,
  ],
])('%s is noticed', (_what, before, after, type) => {
  const sdl = undescribed(printedSchema()).replace(before, after)
  expect(breaking(sdl).map((change) => change.type)).toContain(type)
})
