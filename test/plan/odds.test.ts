import { describe, expect, test } from 'vitest'
import { numbersFrom } from '../../bench/day/random.ts'
import { planOdds } from '../../src/plan/odds.ts'
import type { OddsWanted } from '../../src/plan/odds.ts'
import { subsets } from './subsets.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const least = (numbers: readonly number[]) => Math.min(...numbers)

describe('odds and predictions of games known by id', () => {
  const days = ['monday', 'tuesday']
  const ofDays = subsets(days).map((list) => new Set(list))

  function wanted(random: () => number): OddsWanted[] {
    return Array.from({ length: 1 + Math.floor(random() * 5) }, (_, index) => ({
      game: `game ${index}`,
      day: random() < 0.5 ? null : (days[Math.floor(random() * days.length)] ?? null),
      current: random() < 0.6,
      history: random() < 0.2,
      prediction: random() < 0.2,
    }))
  }

  test('are planned as by the best of all combinations of games, days and rows, 2,000 times', () => {
    const random = numbersFrom(41)
    const trips = { more: 0, spared: 0 }
    for (let nth = 0; nth < 2_000; nth += 1) {
      const games = wanted(random)
      const bytesPerToken = Math.ceil(random() * 500)
      const oddsOfGame = Math.ceil(random() * 1_000)
      const scoresOfAnyDay = Math.ceil(random() * 2_000)
      const perDay = new Map(days.map((day) => [day, Math.ceil(random() * 4_000)]))
      const perRow = new Map(games.map(({ game }) => [game, random() < 0.3 ? 0 : Math.ceil(random() * 200)]))
      const scoresOfDay = (day: string) => perDay.get(day) ?? Number.NaN
      const rowOf = (game: string) => perRow.get(game) ?? Number.NaN
      const plan = planOdds(games, { oddsOfGame, scoresOfDay, scoresOfAnyDay, rowOf, bytesPerToken })

      // A prediction on an unknown day comes later, with the scores of that day, which also have the current
      // odds.
      const predicted = games.filter(({ prediction, day }) => prediction && day === null)
      const waiting = new Set(predicted.map(({ game }) => game))
      interface Choice {
        readonly odds: ReadonlySet<string>
        readonly days: ReadonlySet<string>
        readonly rows: ReadonlySet<string>
      }
      const serves = ({ odds, days: chosen, rows }: Choice) =>
        games.every(({ game, day, current, history, prediction }) => {
          const scored = day !== null && chosen.has(day)
          if (rows.has(game) && (day !== null || !(current || prediction))) return false
          return (
            (!history || odds.has(game)) &&
            (!prediction || scored || rows.has(game)) &&
            (!current || odds.has(game) || scored || rows.has(game))
          )
        })
      const cost = ({ odds, days: chosen, rows }: Choice) => {
        // Rows that no prediction needs are followed by the scores of one or two days, or by the odds if
        // those are cheaper.
        const looked = [...rows].filter((game) => !waiting.has(game) && !odds.has(game)).length
        return (
          odds.size * oddsOfGame +
          sum([...chosen].map(scoresOfDay)) +
          sum([...rows].map(rowOf)) +
          Math.min(looked * oddsOfGame, Math.min(looked, 2) * scoresOfAnyDay)
        )
      }
      const names = games.map(({ game }) => game)
      const ofGames = subsets(names).map((list) => new Set(list))
      const choices = ofGames.flatMap((odds) =>
        ofGames.flatMap((rows) => ofDays.map((those): Choice => ({ odds, days: those, rows }))),
      )
      const possible = choices.filter(serves)
      const best = least(possible.map(cost))
      const atOnce = least(possible.filter(({ rows }) => rows.size === 0).map(cost))
      const isWorth = best < atOnce * 0.75 && atOnce - best >= 2 * bytesPerToken
      const expected = waiting.size > 0 || isWorth ? best : atOnce
      const chosen = { odds: new Set(plan.odds), days: new Set(plan.days), rows: new Set(plan.rows) }
      const about = JSON.stringify({ games, plan, oddsOfGame, scoresOfAnyDay, bytesPerToken })
      expect(serves(chosen), about).toBe(true)
      expect(cost(chosen), about).toBeCloseTo(expected, 6)
      if (waiting.size === 0 && best < atOnce) trips[isWorth ? 'more' : 'spared'] += 1
    }
    expect(trips.more).toBeGreaterThan(20)
    expect(trips.spared).toBeGreaterThan(20)
  })
})
