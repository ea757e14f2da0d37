import { setTimeout as wait } from 'node:timers/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { UnavailableError } from '../../src/errors/errors.ts'
import type { Incoming, Outgoing } from '../../src/wire/transport.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { followers } from '../followers.ts'
import { basketball, startSample } from '../graph/harness.ts'
import { record } from '../graph/recorder.ts'
import type { Recorder } from '../graph/recorder.ts'
import { sampleNow } from '../sample.setup.ts'
import { fills } from '../../src/loaders/fills.ts'
import { patience } from '../patience.ts'

/** The sample league's day, and Statline on a port over it. A test moves its clock and changes its scores. */
export interface LivingDay {
  readonly url: string
  readonly date: string
  /** A game that is under way, by its id. */
  readonly live: string
  /** How many games the day has. */
  readonly games: number
  readonly calls: Recorder
  /** Gives the live game’s home team that many points. */
  score(points: number): void
  /** The service has this game no more; null brings it back. */
  withdraw(game: string | null): void
  /** Whether the service answers. */
  up(isUp: boolean): void
  /** Moves the clock, with all timers of `setTimeout` in this process. */
  pass(ms: number): Promise<void>
  /**
   * Resolves when no timer is left, also of Node's connections, which begin one whenever they fall idle. Throws if
   * one is begun again and again.
   */
  idle(): Promise<void>
  /** Resolves when the server knows that nobody follows the day any more. */
  left(): Promise<void>
  /** Breaks every connection. */
  drop(): void
  forget(): void
  close(): Promise<void>
}

const date = '2026-02-14'

/** A service’s answer with other points in a game, wherever it stands. */
function changed(answer: Incoming, game: string, points: number | null, withdrawn: string | null): Incoming {
  if (withdrawn !== null && answer.body.includes(withdrawn)) {
    const rows = JSON.parse(answer.body) as Record<string, unknown>
    delete rows[withdrawn]
    return changed({ ...answer, body: JSON.stringify(rows) }, game, points, null)
  }
  if (points === null || !answer.body.includes(game)) return answer
  const rows = JSON.parse(answer.body) as Record<string, { home_score?: number }>
  const row = rows[game]
  if (row?.home_score === undefined) return answer
  row.home_score = points
  return { ...answer, body: JSON.stringify(rows) }
}

/**
 * Resolves when a condition holds. Real time passes meanwhile, because events come over HTTP. Throws if it does not come
 * about.
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  // Counted, because a test may stop the clocks.
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > patience / 5) throw new Error(`It has not come about: ${isSo}`)
    await wait(5)
  }
}

/** Timers have to be faked before: `vi.useFakeTimers(fakedTimers)`. */
export async function startLivingDay(apiKey: string | null = 'sample-paid'): Promise<LivingDay> {
  const sample = await startSample()
  const { query } = sample.graph()
  const { data } = await query<{
    league: { games: { gameId: string; startDatetime: string; status: string }[] }
  }>(`{ league { games(date: "${date}") { gameId startDatetime status } } }`)
  const { games } = data.league
  const live = games.find(
    ({ status, startDatetime }) => status !== 'final' && Date.parse(startDatetime) < sampleNow,
  )?.gameId
  if (!live) throw new Error('The sample day has no game under way.')
  let [now, isUp] = [sampleNow, true]
  let points: number | null = null
  let withdrawn: string | null = null
  const calls = record(async (request: Outgoing) => {
    if (!isUp) throw new UnavailableError('The statistics service cannot be reached.')
    return changed(await sample.transport(request), live, points, withdrawn)
  })
  const create = () =>
    createApp({
      upstream: new Upstream({
        transport: calls,
        fills,
        monthlyTokenBudget: null,
        timeoutMs: 60_000,
        batchSize: 500,
        concurrency: 32,
        clock: () => now,
      }),
      apiKey,
      defaults: basketball,
      longestWaitMs: 600_000,
    })
  let app = create()
  const server = createServer((request, response) => void app(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a server on a port
  const url = `http://127.0.0.1:${port}/graphql`
  return {
    url,
    date,
    live,
    games: games.length,
    calls,
    score: (to) => void (points = to),
    withdraw: (game) => void (withdrawn = game),
    up: (is) => void (isUp = is),
    async pass(ms) {
      await wait(50) // what is under way comes to where it waits
      now += ms
      await vi.advanceTimersByTimeAsync(ms)
    },
    idle: () =>
      until(() => {
        vi.advanceTimersByTime(1_000)
        return vi.getTimerCount() === 0
      }),
    left: () => until(async () => (await followers(url)) === 0),
    drop: () => server.closeAllConnections(),
    forget: () => void (app = create()),
    async close() {
      server.closeAllConnections() // with those that nothing was ever asked over
      server.close()
      await sample.close()
    },
  }
}

export const fakedTimers: Parameters<typeof vi.useFakeTimers>[0] = {
  toFake: ['setTimeout', 'clearTimeout', 'performance'],
}
