import { describe, expect, test } from 'vitest'
import { randomized } from '../../src/service/randomized-trial.ts'

const prediction = {
  prediction_id: 'p',
  game_id: 'g',
  home_percentage: 0.5,
  away_percentage: 0.5,
  home_score: 70,
  away_score: 68,
}
const of = (value: object) => JSON.parse(randomized(JSON.stringify(value))) as typeof prediction

describe('an answer for a trial', () => {
  test('has other chances and scores in a prediction, and the rest as it is', () => {
    const row = of(prediction)
    expect(row.home_percentage).not.toBe(0.5)
    expect(Math.abs(row.home_percentage - 0.5)).toBeLessThanOrEqual(0.15)
    expect(row.home_percentage + row.away_percentage).toBeCloseTo(1, 9)
    expect([row.home_score, row.away_score]).not.toEqual([70, 68])
    expect(Object.keys(row)).toEqual(Object.keys(prediction))
    expect([row.prediction_id, row.game_id]).toEqual(['p', 'g'])
  })

  test('has the same values for the same row in all answers', () => {
    const nested = of({ g: { game_id: 'g', home_score: 81, prediction } }) as unknown as Record<
      string,
      object
    >
    expect(nested['g']).toEqual({ game_id: 'g', home_score: 81, prediction: of(prediction) })
  })

  test('stays within what a prediction can be', () => {
    for (let nth = 0; nth < 200; nth++) {
      const row = of({
        ...prediction,
        prediction_id: String(nth),
        home_percentage: 0.99,
        home_score: 1,
        away_score: 0,
      })
      expect(row.home_percentage).toBeGreaterThan(0)
      expect(row.home_percentage).toBeLessThan(1)
      expect(Math.min(row.home_score, row.away_score)).toBeGreaterThanOrEqual(0)
      expect(row.home_score).not.toBe(row.away_score)
    }
  })

  test('without a prediction is the same text', () => {
    const text = '{"g":{"game_id":"g","home_score":81,"away_score":70}}'
    expect(randomized(text)).toBe(text)
  })
})
