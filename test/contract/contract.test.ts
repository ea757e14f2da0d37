import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildSchema, findBreakingChanges } from 'graphql'
import { expect, it } from 'vitest'

const read = (path: string) => buildSchema(readFileSync(resolve(import.meta.dirname, path), 'utf8'))

it('breaks nothing that clients have been promised', () => {
  const changes = findBreakingChanges(read('contract.graphql'), read('../../schema/schema.graphql'))
  expect(changes.map(({ description }) => description)).toEqual([])
})
