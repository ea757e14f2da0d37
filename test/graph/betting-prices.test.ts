import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSample } from './harness.ts'
import type { Sample } from './harness.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

interface Estimated {
  readonly estimate: { readonly tokens: { readonly from: number; readonly to: number | null } }
}

const day = (fields: string) => `{ league { games(date: "2026-02-14") { ${fields} } } }`
const lines = 'odds { pre { spreadHome over } live { spreadHome over } closing { over } }'
const bets = `${lines} prediction { homePercentage } predictionEdge { home spread }`
const names = 'homeTeam { name } awayTeam { name }'
const record = 'lineRecord { all { wins losses } home { wins } away { wins } }'
const lastGames = `games(last: 5) { homeScore ${bets} lineResult { spread } }`

/** Betting views of a day. The last asks for more calls than a dry run makes, until the records are kept. */
const views = {
  lines: day(`${names} ${bets}`),
  movements: day(`${bets} odds { history { spreadHome } } lineResult { spread }`),
  records: day(`homeTeam { ${record} } awayTeam { ${record} } ${bets}`),
  form: day(`homeTeam { ${lastGames} } ${bets}`),
  rest: day(`rest { home away } ${bets} homeTeam { lastGame { ${lines} } nextGame { ${bets} } }`),
  opponents: day(`homeTeam { games { ${bets} awayTeam { ${lastGames} } } } ${bets}`),
}

/** What may be kept when a view is asked for. */
const before = {
  nothing: '{ __typename }',
  'the games': day(names),
  'the scores': day('homeScore clock'),
  'the home teams’ records': day(`homeTeam { ${record} }`),
}

test.each(
  Object.keys(views).flatMap((view) => Object.keys(before).map((kept) => [view, kept] as const)) as [
    keyof typeof views,
    keyof typeof before,
  ][], // `keys` gives names alone
)('the price of a day’s %s, with %s kept, has the bill in its range', async (view, kept) => {
  const graph = sample.graph()
  await graph.query(before[kept])
  graph.calls.take()
  const dry = await graph.query(views[view], { extensions: { explain: 'dry' } })
  expect(graph.calls.take()).toEqual([])
  const { errors, extensions } = await graph.query(views[view])
  expect([dry.errors, errors]).toEqual([undefined, undefined])
  const { tokens, calls } = extensions.usage
  expect(graph.calls.take()).toHaveLength(calls)
  const { from, to } = (dry.extensions as unknown as Estimated).estimate.tokens
  expect(from).toBeLessThanOrEqual(tokens)
  const isCutOff = view === 'opponents' && kept !== 'the home teams’ records'
  expect(to === null).toBe(isCutOff)
  if (to === null) return
  expect(to).toBeGreaterThanOrEqual(tokens)
  expect(to).toBeLessThanOrEqual(100 * tokens)
})
