import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createApp } from '../../src/server/app.ts'
import { compressed } from '../../src/server/listen.ts'
import type { Incoming, Outgoing } from '../../src/wire/transport.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { fills } from '../../src/loaders/fills.ts'

/**
 * Runs in a process of its own, with memory for everything that it allocates. Requests a day of forty games
 * with teams and lines, each time with a new key, and prints what an answer allocates.
 */

const idOf = (kind: number, nth: number) => `0000000${kind}-0000-4000-8000-${String(nth).padStart(12, '0')}`
const rows = (count: number, row: (nth: number) => object) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, nth) => [idOf(1, nth), row(nth)])))

const day = '2026-02-14T00:00:00.000Z'

const team = (nth: number) => ({
  team_id: idOf(2, nth),
  char6: `TM${nth}`,
  code: `team-${nth}`,
  name: `Team ${nth}`,
  alt_name: `The Team of Town ${nth}`,
  primary_color: '#BE185D',
  secondary_color: '#FCE7F3',
  guid: idOf(2, nth),
  deleted: 0,
  conference_id: idOf(3, nth % 12),
})

const score = (nth: number) => ({
  game_id: idOf(1, nth),
  away_score: 60 + nth,
  home_score: 70 + nth,
  clock: '0:00',
  current_period: 'Final',
  status: 'final',
})

const games = rows(40, (nth) => ({
  ...score(nth),
  organization_id: idOf(4, 1),
  division_id: idOf(5, 1),
  season: 2026,
  away_team_id: idOf(2, 2 * nth),
  home_team_id: idOf(2, 2 * nth + 1),
  network: `Network ${nth}`,
  clock_last_updated_at: day,
  start_date: day,
  start_datetime: '2026-02-14T16:00:00.000Z',
  start_timestamp: 1_771_084_800,
  updated_at: '2026-02-14T18:10:00.000Z',
  attendance: 6_390 + nth,
  neutral_site: 0,
  is_conf_game: 1,
  boxscore: 1,
  guid: idOf(1, nth),
  deleted: 0,
  teams: { [idOf(2, 2 * nth)]: team(2 * nth), [idOf(2, 2 * nth + 1)]: team(2 * nth + 1) },
}))

const line = (nth: number, live: number) => ({
  odds_id: idOf(6 + live, nth),
  game_id: idOf(1, nth),
  money_line_away: 610,
  money_line_home: -945,
  spread_away: 13.5,
  spread_home: -13.5,
  over: 153.5,
  under: 153.5,
  date_of_entry: '2026-02-14T15:00:00.000Z',
  live,
  current: 1,
  deleted: 0,
})

const scores = rows(40, (nth) => ({
  ...score(nth),
  prediction: {
    prediction_id: idOf(8, nth),
    game_id: idOf(1, nth),
    season: 2026,
    home_percentage: 0.8943,
    away_percentage: 0.1057,
    home_score: 85,
    away_score: 69,
    live: 0,
    current: 1,
    date_of_entry: '2026-02-11T19:55:00.000Z',
    guid: null,
    deleted: 0,
  },
  odds: { pre: line(nth, 0), live: line(nth, 1) },
}))

const bodies = { getGames: Buffer.from(games), getScores: Buffer.from(scores) }

/** A text of its own each time, as from a socket. */
async function transport({ operation }: Outgoing): Promise<Incoming> {
  const body = bodies[operation.function as keyof typeof bodies] // nothing else is asked for
  return { status: 200, headers: { 'x-request-usage': '1' }, body: body.toString('utf8'), bytes: body.length }
}

const upstream = new Upstream({
  transport,
  fills,
  monthlyTokenBudget: null,
  timeoutMs: 60_000,
  batchSize: 500,
  concurrency: 32,
  clock: () => Date.parse('2026-02-15T20:00:00Z'),
})
const defaults = { organization_id: idOf(4, 1), division_id: idOf(5, 1) }
const app = createApp({ upstream, apiKey: null, defaults })
const server = createServer(compressed(app))
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))

const query = `{ league { games(date: "2026-02-14") { gameId homeScore awayScore status currentPeriod clock startDatetime
  homeTeam { teamId name char6 primaryColor } awayTeam { teamId name char6 primaryColor }
  odds { pre { spreadHome over moneyLineHome } live { spreadHome over moneyLineHome } } } } }`
const body = JSON.stringify({ query })
const socket = connect((server.address() as AddressInfo).port, '127.0.0.1') // on TCP

/** Sends a request and reads an answer of the announced length, with hardly any allocation of its own. */
function ask(nth: number): Promise<number> {
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: key-${nth}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  return new Promise((resolve) => {
    let missing = Number.NaN
    const read = (part: Buffer) => {
      if (Number.isNaN(missing)) {
        const head = part.subarray(0, part.indexOf('\r\n\r\n') + 4).toString('latin1')
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1]) + head.length
      }
      missing -= part.length
      if (missing > 0) return
      socket.off('data', read)
      resolve(part.length)
    }
    socket.on('data', read)
  })
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

/** Bytes on the heap after so many answers. There is enough memory, so nothing is collected meanwhile. */
async function allocatedBy(answers: number, from: number): Promise<number> {
  await settle()
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let nth = 0; nth < answers; nth += 1) await ask(from + nth)
  return process.memoryUsage().heapUsed - before
}

const answers = 20
for (let nth = 0; nth < 300; nth += 1) await ask(nth)
const allocated: number[] = []
for (let round = 1; round <= 5; round += 1) allocated.push(await allocatedBy(answers, 1_000 * round))
const median = allocated.toSorted((a, b) => a - b)[2] ?? 0
console.log(
  JSON.stringify({
    bytes: games.length + scores.length,
    allocated: median / answers,
    calls: upstream.ledgers.totals().calls,
  }),
)
process.exit()
