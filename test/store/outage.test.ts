import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AnswerFile } from '../../src/store/answer-file.ts'
import { startSample, today } from '../graph/harness.ts'
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

test('a scoreboard survives an hour without the service, with a restart in it, and is bought anew after it', async () => {
  let now = sampleNow
  let isAway = false
  const open = () => {
    const answers = new AnswerFile(folder, {
      clock: () => now,
      keptFor: 2 * 86_400_000,
      service: 'test',
      warn: (message) => expect.fail(message),
    })
    const graph = sample.graph({
      answers,
      clock: () => now,
      between: async (request, service) => {
        return isAway ? away : service(request)
      },
    })
    return { ...graph, stop: () => answers.close() }
  }
  const scoreboard = `{ league { games(date: "${today}") {
    status homeScore awayScore clock prediction { homeScore } odds { pre { over } live { over } } homeTeam { name } awayTeam { name stats { points { value } } }
  } } }`
  let instance = open()
  const { data } = await instance.query(scoreboard)
  isAway = true
  for (let passed = 0; passed <= 60; passed += 6) {
    if (passed === 30) {
      await instance.stop()
      instance = open()
    }
    now = sampleNow + passed * minute
    const { data: same, errors, extensions } = await instance.query(scoreboard)
    expect({ passed, same, errors }).toEqual({ passed, same: data, errors: undefined })
    expect(extensions.usage.tokens).toBe(0)
    if (passed > 0) expect(extensions).toMatchObject({ stale: { seconds: passed * 60 } })
  }
  isAway = false
  const { errors, extensions } = await instance.query(scoreboard)
  expect(errors).toBeUndefined()
  expect(extensions).not.toHaveProperty('stale')
  expect(extensions.usage.tokens).toBeGreaterThan(0)
  await instance.stop()
})
