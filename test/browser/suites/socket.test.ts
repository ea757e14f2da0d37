import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakedTimers } from '../../client/living.ts'
import { basketball, startSample, today } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { startLiving } from '../../server/living.ts'
import type { Living } from '../../server/living.ts'
import { launch, missing, visit } from '../browser.ts'

const require = createRequire(import.meta.url)
const library = join(dirname(require.resolve('graphql-ws')), '../umd/graphql-ws.js')

/** Run in the page: follows the day by graphql-ws's own build for browsers. */
const follow = (date: string) => {
  const page = globalThis as unknown as Page // graphql-ws stands there
  page.heard = {}
  const url = page.location.origin.replace('http', 'ws') + '/graphql'
  page.graphqlWs.createClient({ url, retryAttempts: 10 }).subscribe(
    { query: `subscription { scores(date: "${date}") { gameId homeScore } }` },
    {
      next: ({ data }) => (page.heard[data.scores.gameId] = data.scores.homeScore),
      error: (cause) => (page.failed = String(cause)),
      complete: () => (page.failed = 'complete'),
    },
  )
}

interface Page {
  heard: Record<string, number | null>
  failed?: string
  readonly location: { readonly origin: string }
  readonly graphqlWs: {
    createClient(options: object): { subscribe(payload: object, sink: Sink): void }
  }
}

interface Sink {
  next(event: { data: { scores: { gameId: string; homeScore: number | null } } }): void
  error(cause: unknown): void
  complete(): void
}

const heard = () => (globalThis as unknown as Page).heard // as above
const failed = () => (globalThis as unknown as Page).failed ?? null // as above

describe.skipIf(missing)(`a WebSocket in a real browser${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let sample: Sample
  let living: Living
  let browser: Browser
  beforeAll(async () => {
    sample = await startSample()
    living = await startLiving(sample)
    browser = await launch()
  })
  beforeEach(() => void vi.useFakeTimers({ ...fakedTimers, shouldAdvanceTime: true }))
  afterEach(() => vi.useRealTimers())
  afterAll(async () => {
    await browser?.close()
    await living?.close()
    await sample?.close()
  })

  it('hears of every game and of what changes, for one poll each', async () => {
    const all = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
    const { page } = await visit(browser, `${living.url}/health`)
    await page.evaluate(readFileSync(library, 'utf8'))
    await page.evaluate(follow, today)
    const games = async () => Object.keys(await page.evaluate(heard)).length
    const scored = async () => Object.values(await page.evaluate(heard)).includes(161)
    await expect.poll(games, { timeout: 15_000 }).toBe(all)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    living.score(161)
    await living.pass(16_000)
    await expect.poll(scored, { timeout: 15_000 }).toBe(true)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    expect(await page.evaluate(failed)).toBeNull()
    await page.close()
    await living.pass(120_000)
    expect(living.graph.calls.take()).toEqual([])
  })
})
