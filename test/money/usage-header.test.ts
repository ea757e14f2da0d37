import { describe, expect, test } from 'vitest'
import { tokensIn } from '../../src/money/usage-header.ts'

describe('the tokens of a usage header', () => {
  test.each<[string | string[], number]>([
    ['12', 12],
    ['0', 0],
    [' 12 ', 12],
    ['12.5', 12.5],
    ['12,345', 12_345],
    ['1,234,567', 1_234_567],
    ['1,234.5', 1_234.5],
    ['1e6', 1_000_000],
    ['1E+3', 1_000],
    ['12 tokens', 12],
    ['12 Tokens used', 12],
    ['tokens=12', 12],
    ['tokens = "12"', 12],
    ['used=12,345', 12_345],
    ['remaining=1000, used=7', 7],
    ['used=7;limit=500;remaining=493', 7],
    ['tokens: 12; remaining: 488', 12],
    ['12; window=month', 12],
    ['usage=12/500', 12],
    ['X-Request-Usage: 9', 9],
    ['{"tokens":12,"bytes":900}', 12],
    ['{"bytes":900,"tokens":"12"}', 12],
    ['7, 7', 7],
    ['tokens=7, cost=7', 7],
    [['7'], 7],
    [['7', '7'], 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%j is %d', (header, tokens) => {
    expect(tokensIn(header)).toBe(tokens)
  })

  test.each<[string | string[] | undefined]>([
    [undefined],
    [''],
    [' '],
    ['plenty'],
    ['twelve'],
    ['NaN'],
    ['Infinity'],
    ['-1'],
    ['tokens=-1'],
    ['+12'],
    ['0x10'],
    ['1e400'],
    ['1e999999'],
    ['1e-3'],
    ['9'.repeat(400)],
    ['9007199254740993'],
    ['500/7'],
    ['12 of 500'],
    ['12 KB'],
    ['12-15'],
    ['about 12'],
    ['12 tokens remaining'],
    ['remaining=1000'],
    ['total_tokens=500'],
    ['tokens=7, cost=9'],
    ['7, 9'],
    ['12, 345'],
    ['12,34'],
    ['7, plenty'],
    ['{"tokens":12'],
    ['{"bytes":900}'],
    ['{"tokens":{"used":12}}'],
    ['{"tokens":-12}'],
    ['{"tokens":{"toString":1}}'],
    [`tokens${' '.repeat(2_000)}=7`],
    [[]],
    [['7', '9']],
    [['7', 'plenty']],
    [['12', '345']],
  ])('%j is unclear', (header) => {
    expect(tokensIn(header)).toBeUndefined()
  })

  test('takes no time on a long header', () => {
    const began = process.cpuUsage()
    for (const piece of ['1,', '1 ', 'a=', '"', ' ', '1,234']) tokensIn(piece.repeat(8_000))
    tokensIn(`a${' '.repeat(60_000)}!`)
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(500)
  })
})
