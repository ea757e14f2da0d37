import { afterAll, beforeAll, expect, test } from 'vitest'
import { basketball, season, startSample, today } from './harness.ts'
import type { Between, Graph, Sample } from './harness.ts'

let sample: Sample
let team = ''
beforeAll(async () => {
  sample = await startSample()
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  team = String(game?.['home_team_id'])
})
afterAll(() => sample.close())

const totalsOf = ({ upstream }: Graph) => upstream.ledgers.totals()

/** Answers that come one by one: of those that wait, a pseudo-random one is next. */
function oneByOne(seed: number) {
  const waiting: (() => void)[] = []
  const between: Between = async (request, service) => {
    const answer = await service(request)
    await new Promise<void>((resolve) => waiting.push(resolve))
    return answer
  }
  let state = seed
  const next = async () => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const [release] = waiting.splice(state % Math.max(1, waiting.length), 1)
    release?.()
  }
  return { between, next }
}

test.each([
  ['games', `name games(season: ${season}) { status }`],
  [
    'games with lines',
    `name games(season: ${season}) { status odds { pre { over } } prediction { homePercentage } }`,
  ],
  ['form', 'name form { wins }'],
  ['the next game', 'name nextGame { homeScore awayTeam { name } }'],
  ['the record against the line', `name lineRecord(season: ${season}) { all { wins } }`],
])(
  'no half of a season is bought twice for %s, in whatever order its answers come',
  async (_what, fields) => {
    const query = `{ team(id: "${team}") { ${fields} } }`
    const alone = sample.graph()
    const { data, errors } = await alone.query(query)
    expect(errors).toBeUndefined()
    const calls = alone.calls.take()
    for (let seed = 0; seed < 16; seed += 1) {
      const { between, next } = oneByOne(seed)
      const graph = sample.graph({ between })
      const done = new AbortController()
      const answer = graph.query(query).finally(() => done.abort())
      while (!done.signal.aborted) await next()
      expect((await answer).data).toEqual(data)
      expect(graph.calls.take()).toEqual(calls)
      expect(totalsOf(graph).tokens).toBe(totalsOf(alone).tokens)
    }
  },
)

test.each([
  ['predictions', 'startDate prediction { homePercentage }'],
  ['current odds', 'startDate odds { pre { over } }'],
])('a withdrawn game, which the scores leave out, is not asked for again: %s', async (_what, fields) => {
  const query = `{ team(id: "${team}") { games(season: ${season}) { gameId ${fields} } } }`
  const [withdrawn] = await sample.rows('game/read', { season, home_team_id: team })
  const id = String(withdrawn?.['game_id'])
  const graph = sample.graph({
    between: async (request, service) => {
      const answer = await service(request)
      const body = JSON.parse(answer.body) as Record<string, { deleted?: number }>
      const row = body[id]
      if (request.operation.function === 'getScores') delete body[id]
      else if (row) row.deleted = 1
      return { ...answer, body: JSON.stringify(body) }
    },
  })
  const spent: number[] = []
  for (let time = 0; time < 4; time += 1) {
    const { data, errors, extensions } = await graph.query<{ team: { games: { gameId: string }[] } }>(query)
    expect(errors).toBeUndefined()
    expect(data.team.games.map(({ gameId }) => gameId)).not.toContain(id)
    spent.push(extensions.usage.tokens)
  }
  expect(spent[0]).toBeGreaterThan(0)
  expect(spent.slice(2)).toEqual([0, 0])
})
