import { expect, test } from 'vitest'
import { JsonWriter } from '../../../src/graph/execution/json.ts'

const written = (value: unknown): string => {
  const writer = new JsonWriter()
  writer.value(value)
  return writer.end().toString('utf8')
}

test('every number is written as JSON.stringify writes it', () => {
  const halves = Array.from({ length: 4_100 }, (_, nth) => nth / 2 - 1_025)
  const others = [
    -0,
    0.1,
    -0.25,
    999.75,
    1e21,
    5e-7,
    0.5 + 2 ** -53,
    2 ** 31,
    2 ** 53,
    -(2 ** 53),
    Number.MIN_VALUE,
  ]
  for (const value of [...halves, ...others, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect(written(value)).toBe(JSON.stringify(value))
})

test('every text is written as JSON.stringify writes it', () => {
  for (const text of [
    '',
    'final',
    '“”',
    'a"b\\c',
    'tab\t',
    '\u2028',
    '\ud800',
    'ÿ',
    '😀',
    'x'.repeat(100_000),
  ])
    expect(written(text)).toBe(JSON.stringify(text))
})
