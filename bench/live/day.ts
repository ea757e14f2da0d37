import { randomUUID } from 'node:crypto'
import type { Transport } from '../../src/wire/transport.ts'

/** A league whose day is made up here. */
export const league = { organization_id: randomUUID(), division_id: randomUUID() }
export const date = '2026-02-14'

const gameCount = 10
const liveCount = 3

/**
 * The scores of a day on which three of ten games are played. Each answer has one more point in one of them.
 */
export function livingDay(onPoint: (points: number) => void): { transport: Transport; calls: () => number } {
  const ids = Array.from({ length: gameCount }, () => randomUUID())
  let [points, calls] = [0, 0]
  const row = (game_id: string, index: number) => ({
    game_id,
    ...league,
    season: 2026,
    start_date: `${date}T00:00:00.000Z`,
    home_score: index === 0 ? points : 50 + index,
    away_score: 60,
    clock: '10:00',
    current_period: '2nd Half',
    status: index < liveCount ? 'in_progress' : 'final',
    prediction: null,
    odds: { pre: null, live: null },
  })
  const transport: Transport = async ({ path }) => {
    calls += 1
    if (!path.startsWith('/odds/')) onPoint((points += 1))
    const rows = path.startsWith('/odds/')
      ? {}
      : Object.fromEntries(ids.map((id, index) => [id, row(id, index)]))
    const body = JSON.stringify(rows)
    return { status: 200, headers: { 'x-request-usage': '4' }, body, bytes: body.length }
  }
  return { transport, calls: () => calls }
}
