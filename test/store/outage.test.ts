import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AnswerFile } from '../../src/store/answers/answer-file.ts'
import { season, startSample, teamsOfToday, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { answerOf } from '../graph/spoiled.ts'
import { sampleNow } from '../sample.setup.ts'

const minute = 60_000

/** An answer that means the service is away, and costs neither tokens nor retries. */
const away = answerOf(
  { error: 'Service unavailable, try again later.' },
  { headers: { 'x-request-usage': '0' } },
)

let sample: Sample
const folder = mkdtempSync(join(tmpdir(), 'outage-'))
beforeAll(async () => {
  sample = await startSample()
})
afterAll(async () => {
  await sample.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a key that the service repeats in an answer is not stored', async () => {
  const stored = mkdtempSync(join(tmpdir(), 'repeated-'))
  const settings = { clock: () => sampleNow, keptFor: 86_400_000, service: 'test', warn: () => {} }
  const answers = new AnswerFile(stored, settings)
  const apiKey = 'a-key-that-is-repeated'
  const row = { organization_id: 'o', name: `asked with ${apiKey}`, inactive: 0 }
  const graph = sample.graph({ answers, apiKey, between: async () => answerOf({ o: row }) })
  expect((await graph.query('{ organizations { name } }')).errors).toBeUndefined()
  await answers.close()
  const files = readdirSync(stored).map((name) => readFileSync(join(stored, name), 'latin1'))
  expect(files.join('')).toContain('asked with')
  expect(files.join('')).not.toContain(apiKey)
  rmSync(stored, { recursive: true })
})

/** Instances, one after the other, over the answers in a folder, with a clock, and a service that may be away. */
function instances(folder: string) {
  const world = { now: sampleNow, isAway: false }
  const clock = () => world.now
  const settings = {
    clock,
    keptFor: 2 * 86_400_000,
    service: 'test',
    warn: (message: string) => expect.fail(message),
  }
  const open = () => {
    const answers = new AnswerFile(folder, settings)
    const graph = sample.graph({
      answers,
      clock,
      between: async (request, service) => (world.isAway ? away : service(request)),
    })
    return { ...graph, stop: () => answers.close() }
  }
  return { world, open }
}

test('a scoreboard survives an hour without the service, with a restart in it, and is bought anew after it', async () => {
  const { world, open } = instances(folder)
  const scoreboard = `{ league { games(date: "${today}") {
    status homeScore awayScore clock prediction { homeScore } odds { pre { over } live { over } } homeTeam { name } awayTeam { name stats { points { value } } }
  } } }`
  let instance = open()
  const { data } = await instance.query(scoreboard)
  world.isAway = true
  for (let passed = 0; passed <= 60; passed += 6) {
    if (passed === 30) {
      await instance.stop()
      instance = open()
    }
    world.now = sampleNow + passed * minute
    const { data: same, errors, extensions } = await instance.query(scoreboard)
    expect({ passed, same, errors }).toEqual({ passed, same: data, errors: undefined })
    expect(extensions.usage.tokens).toBe(0)
    if (passed > 0) expect(extensions).toMatchObject({ stale: { seconds: passed * 60 } })
  }
  world.isAway = false
  const { errors, extensions } = await instance.query(scoreboard)
  expect(errors).toBeUndefined()
  expect(extensions).not.toHaveProperty('stale')
  expect(extensions.usage.tokens).toBeGreaterThan(0)
  await instance.stop()
})

describe('after a restart, what is built on a team’s expired season', () => {
  const schedule = ['game/read 1', 'game/read 1']
  // Each with its calls in vain while the service is away.
  const fields: [field: string, calls: string[]][] = [
    [`games(season: ${season}) { gameId homeScore startDatetime }`, schedule],
    [`form(season: ${season}, games: 5) { wins losses }`, schedule],
    [
      `lineRecord(season: ${season}) { all { wins losses } home { wins } }`,
      ['game/getScores 1', 'game/getScores 1', ...schedule],
    ],
    [`scheduleStrength(season: ${season}) { played remaining }`, ['elo/read 19', ...schedule]],
    [`nextGame(season: ${season}) { gameId }`, schedule],
  ]
  let team: string
  let stored: string
  beforeAll(async () => {
    team = (await teamsOfToday(sample))[0] ?? ''
  })
  beforeEach(() => void (stored = mkdtempSync(join(tmpdir(), 'season-'))))
  afterEach(() => rmSync(stored, { recursive: true }))

  /** The answer of an instance that is stopped, a graph of the next one, and what may be changed. */
  async function restarted(field: string) {
    const { world, open } = instances(stored)
    const first = open()
    const query = `{ league { team(id: "${team}") { ${field} } } }`
    const { data, errors } = await first.query(query)
    expect(errors).toBeUndefined()
    await first.stop()
    world.now += 600_000
    return { world, data, query, graph: open() }
  }

  test.each(fields)('is served while the service is away: %s', async (field, calls) => {
    const { world, data, query, graph } = await restarted(field)
    world.isAway = true
    const { data: same, errors, extensions } = await graph.query(query)
    expect({ same, errors }).toEqual({ same: data, errors: undefined })
    expect(extensions).toMatchObject({ stale: { seconds: 600 }, usage: { tokens: 0 } })
    expect(graph.calls.take()).toEqual(calls)
    await graph.stop()
  })

  test.each(fields)('costs nothing with `maxAge`: %s', async (field) => {
    const { data, query, graph } = await restarted(field)
    const { data: same, errors, extensions } = await graph.query(query, { extensions: { maxAge: 601 } })
    expect({ same, errors }).toEqual({ same: data, errors: undefined })
    expect(extensions).toMatchObject({ stale: { seconds: 600 }, usage: { tokens: 0, calls: 0 } })
    expect(graph.calls.take()).toEqual([])
    await graph.stop()
  })

  test('is bought again if it is older than `maxAge`', async () => {
    const { query, graph } = await restarted(fields[0]?.[0] ?? '')
    const { errors, extensions } = await graph.query(query, { extensions: { maxAge: 599 } })
    expect(errors).toBeUndefined()
    expect(extensions).not.toHaveProperty('stale')
    expect(graph.calls.take()).toEqual(schedule)
    await graph.stop()
  })
})
