import { describe, expect, test } from 'vitest'
import { Prices } from '../../src/money/price.ts'

describe('prices', () => {
  test('begin at a token for each begun KiB', () => {
    const prices = new Prices()
    expect(prices.tokens('team/read', 2)).toBe(1)
    expect(prices.tokens('team/read', 1024)).toBe(1)
    expect(prices.tokens('team/read', 1025)).toBe(2)
  })

  test('rise with the first bill that shows it', () => {
    const prices = new Prices()
    for (let nth = 0; nth < 20; nth += 1) prices.learn('team/read', 10_240, 10)
    expect(prices.tokens('team/read', 10_240)).toBe(10)
    prices.learn('team/read', 10_240, 500)
    expect(prices.tokens('team/read', 10_240)).toBe(500)
  })

  test('fall with several', () => {
    const prices = new Prices()
    prices.learn('team/read', 10_240, 500)
    prices.learn('team/read', 10_240, 10)
    expect(prices.tokens('team/read', 10_240)).toBeGreaterThan(300)
    for (let nth = 0; nth < 30; nth += 1) prices.learn('team/read', 10_240, 10)
    expect(prices.tokens('team/read', 10_240)).toBe(11)
  })

  test('are each operation’s own', () => {
    const prices = new Prices()
    prices.learn('team/read', 10_240, 10)
    prices.learn('elo/read', 10_240, 500)
    expect(prices.tokens('team/read', 10_240)).toBe(10)
    expect(prices.tokens('elo/read', 10_240)).toBe(500)
  })

  test('of an operation that was never billed are those of the others', () => {
    const prices = new Prices()
    prices.learn('team/read', 10_240, 100)
    expect(prices.tokens('elo/read', 10_240)).toBe(100)
  })

  test('are not read from the single token of a small answer', () => {
    const prices = new Prices()
    for (let nth = 0; nth < 20; nth += 1) prices.learn('game/getGames', 1_024_000, 10)
    prices.learn('game/getGames', 2, 1)
    expect(prices.tokens('game/getGames', 1_024_000)).toBe(10)
  })

  test('have a lowest one, which no single dear bill raises', () => {
    const prices = new Prices()
    expect(prices.leastTokens('team/read', 10_240)).toBe(10)
    prices.learn('team/read', 10_240, 200)
    expect(prices.tokens('team/read', 10_240)).toBe(200)
    expect(prices.leastTokens('team/read', 10_240)).toBe(10)
    prices.learn('team/read', 10_240, 300)
    prices.learn('team/read', 10_240, 200)
    expect(prices.leastTokens('team/read', 10_240)).toBe(200)
    prices.learn('team/read', 10_240, 20)
    expect(prices.leastTokens('team/read', 10_240)).toBe(20)
    expect(prices.tokens('team/read', 10_240)).toBeGreaterThan(100)
    expect(Prices.from(JSON.parse(JSON.stringify(prices))).leastTokens('team/read', 10_240)).toBe(20)
    expect(prices.copy().leastTokens('team/read', 10_240)).toBe(20)
  })

  test('have a lowest one, which the minimum for small answers does not raise', () => {
    const prices = new Prices()
    for (let nth = 0; nth < 5; nth += 1) prices.learn('game/getGames', 2, 11)
    expect(prices.leastTokens('game/getGames', 5_120)).toBe(5)
  })

  test('of a copy change alone', () => {
    const prices = new Prices()
    prices.learn('team/read', 1024, 1)
    const copy = prices.copy()
    copy.learn('team/read', 1024, 50)
    expect([prices, copy].map((one) => one.tokens('team/read', 1024))).toEqual([1, 50])
    expect([prices, copy].map((one) => one.tokens('elo/read', 1024))).toEqual([1, 50])
  })
})
