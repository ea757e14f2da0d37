import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import { sampleNow } from '../sample.setup.ts'

interface Day {
  readonly league: {
    readonly games: readonly {
      readonly gameId: string
      readonly homeScore: number | null
      readonly prediction: { readonly homePercentage: number; readonly awayPercentage: number }
    }[]
  }
}

const day = `{ league { games(date: "${today}") { gameId homeScore prediction { homePercentage awayPercentage } } } }`

let sample: Sample

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const qualityOf = (answer: { readonly extensions: object }) =>
  (answer.extensions as { readonly dataQuality?: string }).dataQuality

/** A graph with a trial key, which the service takes for a paid one once it is upgraded. */
function upgradable() {
  const state = { now: sampleNow, isUpgraded: false }
  const graph = sample.graph({
    apiKey: 'sample-trial',
    clock: () => state.now,
    between: (request, service) =>
      service(state.isUpgraded ? { ...request, apiKey: 'sample-paid' } : request),
  })
  return { graph, state }
}

describe('the data of a trial key', () => {
  test('is randomized in its predictions, which every answer says, from memory too', async () => {
    const [trial, paid] = [sample.graph({ apiKey: 'sample-trial' }), sample.graph()]
    const [first, honest] = [await trial.query<Day>(day), await paid.query<Day>(day)]
    expect(qualityOf(first)).toBe('RANDOMIZED')
    expect(qualityOf(honest)).toBeUndefined()
    const facts = ({ data }: typeof first) =>
      data.league.games.map(({ gameId, homeScore }) => [gameId, homeScore])
    expect(facts(first)).toEqual(facts(honest))
    const chances = ({ data }: typeof first) =>
      data.league.games.map(({ prediction }) => prediction.homePercentage)
    expect(chances(first)).not.toEqual(chances(honest))
    for (const { prediction } of first.data.league.games)
      expect(prediction.homePercentage + prediction.awayPercentage).toBeCloseTo(1, 9)
    const again = await trial.query<Day>(day)
    expect(qualityOf(again)).toBe('RANDOMIZED')
    expect(chances(again)).toEqual(chances(first))
    expect(trial.calls.take()).toEqual(['game/getScores 1'])
  })

  test('is no longer said to be randomized once the key was upgraded and what was bought before is of no use', async () => {
    const { graph, state } = upgradable()
    await graph.query(day)
    state.isUpgraded = true
    state.now += 86_400_000
    expect(qualityOf(await graph.query(day))).toBe('RANDOMIZED')
    state.now += 86_400_000 + 1
    expect(qualityOf(await graph.query(day))).toBeUndefined()
  })

  test('is said to be randomized if a request accepts older rows than any other', async () => {
    const { graph, state } = upgradable()
    await graph.query(day)
    state.isUpgraded = true
    state.now += 3 * 86_400_000
    const older = await graph.query(day, { extensions: { maxAge: 864_000 } })
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
    expect(older.extensions.usage).toMatchObject({ calls: 0, tokens: 0 })
    expect(qualityOf(older)).toBe('RANDOMIZED')
    expect(qualityOf(await graph.query(day))).toBeUndefined()
    // These rows are real ones.
    state.now += 600_000
    const real = await graph.query(day, { extensions: { maxAge: 864_000 } })
    expect([qualityOf(real), real.extensions]).toEqual([
      undefined,
      expect.objectContaining({ stale: expect.anything() }),
    ])
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })

  describe('by a service that does not say so', () => {
    let now = sampleNow
    let isUpgraded = false

    function silentGraph() {
      now = sampleNow
      isUpgraded = false
      return sample.graph({
        apiKey: 'sample-trial',
        clock: () => now,
        between: async (request, service) => {
          const answer = await service(isUpgraded ? { ...request, apiKey: 'sample-paid' } : request)
          const { 'x-data-quality': _hidden, ...headers } = answer.headers
          return { ...answer, headers }
        },
      })
    }

    const lines = (game: unknown) =>
      `{ league { game(id: "${String(game)}") { attendance odds { history { over } } } } }`

    test('may be randomized once a bulk read was refused', async () => {
      const graph = silentGraph()
      const first = await graph.query<Day>(day)
      expect(qualityOf(first)).toBeUndefined()
      const game = first.data.league.games[0]?.gameId
      expect(qualityOf(await graph.query(lines(game)))).toBe('MAY_BE_RANDOMIZED')
    })

    test('may be randomized for as long as what it has bought may be served', async () => {
      const graph = silentGraph()
      const first = await graph.query<Day>(day)
      const game = first.data.league.games[0]?.gameId
      await graph.query(lines(game))
      graph.calls.take()
      now += 6 * 60_000
      expect(qualityOf(await graph.query(day))).toBe('MAY_BE_RANDOMIZED')
      expect(graph.calls.take()).toEqual(['game/getScores 1'])
      now += 30 * 86_400_000
      expect(qualityOf(await graph.query(day))).toBe('MAY_BE_RANDOMIZED')
      isUpgraded = true
      now += 60_000
      expect(qualityOf(await graph.query(lines(game)))).toBe('MAY_BE_RANDOMIZED')
      now += 2 * 86_400_000 - 1_000
      expect(qualityOf(await graph.query(day))).toBe('MAY_BE_RANDOMIZED')
      now += 2_000
      expect(qualityOf(await graph.query(day))).toBeUndefined()
    })

    test('may be randomized if a request accepts older rows than any other', async () => {
      const graph = silentGraph()
      const first = await graph.query<Day>(day)
      const game = first.data.league.games[0]?.gameId
      await graph.query(lines(game))
      isUpgraded = true
      now += 6 * 60_000
      await graph.query(lines(game))
      now += 3 * 86_400_000
      graph.calls.take()
      const older = await graph.query(day, { extensions: { maxAge: 864_000 } })
      expect([qualityOf(older), graph.calls.take()]).toEqual(['MAY_BE_RANDOMIZED', []])
      expect(qualityOf(await graph.query(day))).toBeUndefined()
    })
  })
})
