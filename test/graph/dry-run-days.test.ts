import { expect, test } from 'vitest'
import { Rows } from '../../src/rows/rows.ts'
import type { Entry } from '../../src/rows/entry.ts'
import { operations } from '../../src/specification/operations.ts'
import { madeUp } from '../../src/calls/dry-run/made-up.ts'
import { Estimates } from '../../src/account/estimates.ts'
import type { Outgoing } from '../../src/wire/transport.ts'

/** Rows that count how often one is looked for. */
class CountedRows extends Rows {
  looks = 0

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
    const games = Object.keys(JSON.parse((await answer(request)).body) as object)
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
  expect(await ask(days[7] ?? '')).toEqual(games.slice((7 * games.length) / 50, (8 * games.length) / 50))
})
