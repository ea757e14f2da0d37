import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { fakedTimers, until } from '../client/living.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { GraphOptions, Sample } from '../graph/harness.ts'
import { answerOf } from '../graph/spoiled.ts'
import { startLiving } from './living.ts'
import { onPorts } from './ports.ts'

/** The evening of a day in New York, which is over in UTC; and the next midnight there. */
const evening = Date.parse('2026-02-15T02:00:00.000Z')
const midnight = Date.parse('2026-02-15T05:00:00.000Z')
const tomorrow = '2026-02-15'

const hour = 3_600_000

let sample: Sample
const urlOf = onPorts()

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const gamesOn = async (date: string) =>
  (await sample.rows('game/getGames', { ...basketball, start_date: date }))
    .map((game) => String(game['game_id']))
    .toSorted()

interface Body {
  readonly data: { readonly league: { readonly games: readonly { readonly gameId: string }[] } }
  readonly extensions: { readonly usage: { readonly calls: number } }
}

/** A server, and what asks it for games. */
async function serve(options: GraphOptions) {
  const graph = sample.graph(options)
  const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball })
  const url = await urlOf((request, response) => app(request, response))
  const ask = async (games = 'games') => {
    const body = JSON.stringify({ query: `{ league { ${games} { gameId homeScore } } }` })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
    const { data } = (await response.json()) as Body
    return data.league.games.map(({ gameId }) => gameId).toSorted()
  }
  return { ask, calls: graph.calls }
}

describe('games without a date', () => {
  test('are those of today in New York, also in the evening, at the price of the day', async () => {
    const { ask, calls } = await serve({ clock: () => evening })
    expect(await ask()).toEqual(await gamesOn(today))
    expect(calls.take()).toEqual(['game/getScores 1'])
    expect(await ask(`games(date: "${today}")`)).toEqual(await gamesOn(today))
    expect(await ask('games(date: null)')).toEqual(await gamesOn(today))
    expect(calls.take()).toEqual([])
  })

  test('are those of today in LEAGUE_TIME_ZONE', async () => {
    const { ask, calls } = await serve({ clock: () => evening, timeZone: 'UTC' })
    expect(await ask()).toEqual(await gamesOn(tomorrow))
    expect(calls.take()).toEqual(['game/getScores 1'])
  })

  test('are the next day’s from midnight on, though the answer is kept and its rows are fresh for a day', async () => {
    let now = evening
    const freshFor = { live: 24 * hour, current: 24 * hour }
    const { ask, calls } = await serve({ clock: () => now, freshFor })
    for (let times = 0; times < 4; times += 1) expect(await ask()).toEqual(await gamesOn(today))
    expect(calls.take()).toEqual(['game/getScores 1'])
    now = midnight - 1
    expect(await ask()).toEqual(await gamesOn(today))
    expect(calls.take()).toEqual([])
    now = midnight
    expect(await ask()).toEqual(await gamesOn(tomorrow))
    expect(calls.take()).toEqual(['game/getScores 1'])
  })
})

describe('scores without a date', () => {
  beforeEach(() => void vi.useFakeTimers(fakedTimers))
  afterEach(() => void vi.useRealTimers())

  test('are followed from today into the next day, one poll after midnight', async () => {
    const living = await startLiving(sample)
    const subscriber = await living.subscribe('subscription { scores { gameId homeScore } }')
    const told = () => new Set(subscriber.events.map(({ data }) => String(data?.scores['gameId'])))
    const [first, next] = [await gamesOn(today), await gamesOn(tomorrow)]
    await until(() => told().size === first.length)
    expect([...told()].toSorted()).toEqual(first)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    await living.pass(9 * hour) // from 15:00 to midnight
    await until(() => told().size === first.length + next.length)
    expect([...told()].toSorted()).toEqual([...first, ...next].toSorted())
    const states = subscriber.events.map(({ extensions }) => extensions.live)
    const [last, begin, ...others] = states.slice(first.length - 1)
    expect([last?.complete, begin?.complete, others.at(-1)?.complete]).toEqual([
      true,
      next.length === 1,
      true,
    ])
    const gone = first.map((id) => Buffer.from(`Game:${id}`).toString('base64'))
    expect(begin?.left.toSorted()).toEqual(gone.toSorted())
    expect(others.every(({ left }) => left.length === 0)).toBe(true)
    // The last poll of the day that is over, and the first one of the next.
    expect(living.graph.calls.take()).toEqual(['game/getScores 1', 'game/getScores 1'])
    subscriber.leave()
    await living.close()
  })

  test('an outage that begins at midnight is told, and the next day once it is over', async () => {
    const living = await startLiving(sample)
    const subscriber = await living.subscribe('subscription { scores { gameId homeScore } }')
    const { length } = await gamesOn(today)
    await until(() => subscriber.events.length === length)
    living.between(async () => answerOf({}, { status: 503, headers: {} }))
    await living.pass(9 * hour)
    await until(() => subscriber.events.length > length)
    // Nothing is known of the next day, so a query would get the error.
    expect(subscriber.events.slice(length)).toMatchObject([
      { data: null, errors: [{ extensions: { code: expect.stringMatching(/^UPSTREAM_/) } }] },
    ])
    living.between((_request, send) => send())
    await living.pass(60_000)
    const next = (await gamesOn(tomorrow)).length
    await until(() => subscriber.events.length === length + 1 + next)
    // The first state, the day that is over at most once more, and the next one, in the minute that has passed.
    const answered = living.graph.calls.sent.filter(({ bytes }) => bytes > 2)
    const days = answered.map(
      ({ operation, arguments: values }) => `${operation} ${String(values['start_date'])}`,
    )
    const [before, after] = [`game/getScores ${today}`, `game/getScores ${tomorrow}`]
    expect(days.filter((one) => one !== after)).toEqual([before, before].slice(-days.indexOf(after)))
    expect(days.length - days.indexOf(after)).toBeLessThanOrEqual(2)
    const states = subscriber.events.slice(length + 1).map(({ extensions }) => extensions)
    expect(states[0]?.live.left).toHaveLength(length)
    expect(states.at(-1)?.live.complete).toBe(true)
    subscriber.leave()
    await living.close()
  })
})
