import { createApp } from '../../src/server/app.ts'
import type { Incoming, Outgoing } from '../../src/wire/transport.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { fills } from '../../src/loaders/fills.ts'

/**
 * Runs in a process of its own: sends queries with new keys and new documents, and prints what is left on the
 * heap.
 */

const rows = (count: number, row: (nth: number) => object) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, nth) => [idOf(nth), row(nth)])))

const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`

const wide = Object.fromEntries(
  Array.from({ length: 40 }, (_, nth) => [`extra_${nth}`, `a value of its own ${nth}`]),
)

const team = (nth: number) => ({ team_id: idOf(nth), name: `Team ${nth}`, ...wide })

const games = rows(60, (nth) => ({
  game_id: idOf(nth),
  home_team_id: idOf(2 * nth),
  away_team_id: idOf(2 * nth + 1),
  season: 2026,
  status: 'final',
  deleted: 0,
  ...wide,
  teams: { [idOf(2 * nth)]: team(2 * nth), [idOf(2 * nth + 1)]: team(2 * nth + 1) },
}))
const ratings = rows(120, (nth) => ({
  elo_id: idOf(nth),
  team_id: idOf(nth),
  elo: 1500,
  current: 1,
  ...wide,
}))

async function transport({ operation }: Outgoing): Promise<Incoming> {
  const body = operation.class === 'elo' ? ratings : games
  return { status: 200, headers: { 'x-request-usage': '1' }, body, bytes: body.length }
}

const upstream = new Upstream({
  transport,
  fills,
  monthlyTokenBudget: null,
  timeoutMs: 60_000,
  batchSize: 500,
  concurrency: 32,
  clock: () => Date.parse('2026-02-14T20:00:00Z'),
})
const app = createApp({
  upstream,
  apiKey: null,
  defaults: { organization_id: idOf(1), division_id: idOf(2) },
})

async function ask(nth: number): Promise<void> {
  const query = `query Q${nth} { league { games(date: "2026-02-14") { homeTeam { name elo { elo } } awayTeam { name } } } }`
  const answer = await app.fetch('http://statline.test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': `key-${nth}` },
    body: JSON.stringify({ query }),
  })
  const text = await answer.text()
  if (!text.includes('Team 0')) throw new Error(text)
}

const [count = '0'] = process.argv.slice(2)
for (let nth = 0; nth < Number(count); nth += 1) await ask(nth)
await new Promise((resolve) => setTimeout(resolve, 50))
globalThis.gc?.()
console.log(JSON.stringify({ heap: process.memoryUsage().heapUsed, ...upstream.ledgers.totals() }))
