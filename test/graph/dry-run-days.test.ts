import { expect, test } from 'vitest'
import { Rows } from '../../src/rows/rows.ts'
import type { Entry } from '../../src/rows/entry.ts'
import { operations } from '../../src/specification/operations.ts'
import { madeUp } from '../../src/calls/dry-run/made-up.ts'
import { Estimates } from '../../src/account/estimates.ts'
import type { Outgoing } from '../../src/wire/transport.ts'

/** Rows that count how often one is looked for, and how often one is gone through with all others. */
class CountedRows extends Rows {
  looks = 0
  passes = 0

  override usedIn(table: string): ReadonlyMap<string, Entry> {
    const rows = super.usedIn(table)
    const count = () => (this.passes += 1)
    const counted = {
      get size() {
        return rows.size
      },
      *entries() {
        for (const row of rows) {
          count()
          yield row
        }
      },
    }
    return counted as unknown as ReadonlyMap<string, Entry> // as much of it as is used
  }

  override find(table: string, key: string): Entry | undefined {
    this.looks += 1
    return super.find(table, key)
  }
}

test('a dry run of many days looks for each made-up game in its own day alone', async () => {
  const used = new CountedRows()
  const rows = { known: new Rows(), used }
  const answer = madeUp(new Estimates(), 'usual', Date.parse('2026-02-14'), '2026-02-14', rows, {})
  const ask = async (day: string) => {
    const values = { organization_id: 'o', division_id: 'd', start_date: day }
    const request = { operation: operations.getGames, arguments: values } as unknown as Outgoing // made-up rows depend on these alone
    const games = Object.keys((await answer(request)).madeUp ?? {})
    for (const game of games) used.entry('game', game)
    return games
  }
  const days = Array.from({ length: 50 }, (_, nth) =>
    new Date(Date.UTC(2026, 0, 1 + nth)).toISOString().slice(0, 10),
  )
  const games = []
  for (const day of days) games.push(...(await ask(day)))
  expect(games.length).toBeGreaterThan(100)
  expect(new Set(games).size).toBe(games.length)
  expect(used.looks).toBe(games.length)
  expect(used.passes).toBeLessThanOrEqual(games.length)
  expect(await ask(days[7] ?? '')).toEqual(games.slice((7 * games.length) / 50, (8 * games.length) / 50))
})

test('games that a dry run uses before the list of their day are in it, also if their day is known later', async () => {
  const used = new Rows()
  const rows = { known: new Rows(), used }
  const answer = madeUp(new Estimates(), 'usual', Date.parse('2026-02-14'), '2026-02-14', rows, {})
  const gamesOf = async (day: string) => {
    const values = { organization_id: 'o', division_id: 'd', start_date: day }
    const request = { operation: operations.getGames, arguments: values } as unknown as Outgoing // as above
    return Object.keys((await answer(request)).madeUp ?? {})
  }
  const put = (key: string, start: string) =>
    used
      .entry('game', key)
      .put(
        { game_id: key, start_date: start },
        new Set(['game_id', 'start_date']),
        { until: () => 9e15 },
        0,
        1,
      )
  put('early', '2026-02-14T18:00:00.000Z')
  used.entry('game', 'late')
  expect((await gamesOf('2026-02-13')).slice(0, 2)).not.toContain('late')
  put('late', '2026-02-14T20:00:00.000Z')
  expect((await gamesOf('2026-02-14')).slice(0, 2)).toEqual(['early', 'late'])
})
