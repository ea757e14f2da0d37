import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !type.name.startsWith('_'),
)
const withFields = types.filter(
  (type) => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type),
)

test('every type, field, argument and value is described', () => {
  const missing: string[] = []
  const look = (name: string, { description }: { description?: string | null | undefined }) => {
    if (!description?.trim().endsWith('.')) missing.push(name)
  }
  for (const type of types) look(type.name, type)
  for (const type of types.filter(isEnumType))
    for (const value of type.getValues()) look(`${type.name}.${value.name}`, value)
  for (const type of withFields)
    for (const field of Object.values(type.getFields())) {
      look(`${type.name}.${field.name}`, field)
      if ('args' in field)
        for (const argument of field.args) look(`${type.name}.${field.name}(${argument.name}:)`, argument)
    }
  expect(missing.filter((name) => !/\._(service|entities)/.test(name))).toEqual([])
})

test.each([
  ['TeamStatRanking', 'points', / a game\.$/],
  ['PlayerStatRanking', 'pointsPerGame', / a game\.$/],
  ['PlayerStatRanking', 'points', /(?<! a game)\.$/],
  [
    'PlayerStatRanking',
    'efficiencyRating',
    /^Efficiency a game: points, rebounds, assists, steals and blocks, less/,
  ],
])('a mean a game is told from a total: %s.%s', (name, field, words) => {
  const type = schema.getType(name)
  expect(isObjectType(type) && type.getFields()[field]?.description).toMatch(words)
})

/** Types that come whole with one call. The fields below them belong to them. */
const parts = /^(PageInfo|Ranking|LineRecords|TeamFourFactors|Form$|SearchResult|.*StatRanking)/

test('every field that may cost a call says what it costs', () => {
  const silent = withFields.flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => !isLeafType(getNamedType(field.type)) && !parts.test(type.name))
      .filter(({ name }) => !name.startsWith('_'))
      .filter(({ description }) => !/\b(costs?|free|comes? with)\b/i.test(description ?? ''))
      .map(({ name }) => `${type.name}.${name}`),
  )
  expect(silent).toEqual([])
})

test('a newcomer is told where to begin, what the scope is and what a call costs', () => {
  const text = (name: string) => schema.getType(name)?.description ?? ''
  expect(text('Query')).toMatch(/Start with `league`.*one token per KiB.*explain: "dry"/s)
  expect(text('League')).toMatch(/\*scope\*.*An argument wins.*SCOPE_REQUIRED/s)
  for (const name of ['Game', 'Team', 'Player']) expect(text(name)).toMatch(/season/)
})
