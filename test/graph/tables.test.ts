import { expect, test } from 'vitest'
import '../../src/schema.ts'
import { typeOf } from '../../src/graph/types.ts'
import { tableNames } from '../../src/specification/tables.ts'

test.each(tableNames)('the graph has a type for rows of %s', (table) => {
  expect(() => typeOf(table)).not.toThrow()
})
