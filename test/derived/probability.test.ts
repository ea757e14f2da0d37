import { describe, expect, test } from 'vitest'
import { edgeOf, impliedProbability, marketChances } from '../../src/derived/probability.ts'
import { odds, prediction } from './rows.ts'

test.each([
  [-110, 110 / 210],
  [-200, 2 / 3],
  [150, 0.4],
  [100, 0.5],
  [-100, 0.5],
  [0, null],
  [50, null],
  [null, null],
])('American odds of %s imply %s', (line, chance) => {
  expect(impliedProbability(line)).toEqual(chance)
})

describe('the chances of a market', () => {
  test('are without the bookmaker’s share, worked by hand', () => {
    const chances = marketChances(odds({ money_line_home: -200, money_line_away: 170 }))
    const [home, away] = [200 / 300, 100 / 270]
    expect(chances?.home).toBeCloseTo(home / (home + away), 12)
    expect((chances?.home ?? 0) + (chances?.away ?? 0)).toBeCloseTo(1, 12)
    expect(chances?.vig).toBeCloseTo(home + away - 1, 12)
  })

  test('are even where both sides cost the same', () => {
    expect(marketChances(odds({ money_line_home: -110, money_line_away: -110 }))).toMatchObject({
      home: 0.5,
      away: 0.5,
    })
  })

  test.each([
    ['no line', null],
    ['one money line', odds({ money_line_home: -110 })],
    ['none', odds({ spread_home: -3 })],
  ])('are unknown with %s', (_what, line) => {
    expect(marketChances(line)).toBeNull()
  })
})

describe('a prediction’s edge', () => {
  const line = odds({
    money_line_home: -110,
    money_line_away: -110,
    spread_home: -2.5,
    over: 140,
    under: 140,
  })

  test('is its chance less the market’s, and its points less the lines’', () => {
    const { home, away, spread, total } = edgeOf(
      prediction({ home_percentage: 0.62, away_percentage: 0.38, home_score: 75, away_score: 70 }),
      line,
    )
    expect(home).toBeCloseTo(0.12, 12)
    expect(away).toBeCloseTo(-0.12, 12)
    expect([spread, total]).toEqual([2.5, 5])
  })

  test('has the parts that both sides know', () => {
    const row = prediction({ home_percentage: 0.62, away_percentage: 0.38 })
    expect(edgeOf(row, odds({ spread_home: -2.5 }))).toEqual({
      home: null,
      away: null,
      spread: null,
      total: null,
    })
    expect(edgeOf(row, line)).toMatchObject({ spread: null, total: null })
  })
})
