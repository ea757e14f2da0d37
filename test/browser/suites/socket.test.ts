import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakedTimers } from '../../client/living.ts'
import { basketball, startSample, today } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { startLiving } from '../../server/living.ts'
import type { Living } from '../../server/living.ts'
import { followers } from '../../followers.ts'
import { launch, missing, visit } from '../browser.ts'

const require = createRequire(import.meta.url)
const library = join(dirname(require.resolve('graphql-ws')), '../umd/graphql-ws.js')

/** `socketOptions` of the client’s package, as a script for a page. */
async function optionsScript(): Promise<string> {
  const input = join(import.meta.dirname, '../../../src/client/socket-options.ts')
  const bundle = await rolldown({ input })
  const { output } = await bundle.generate({ format: 'iife', name: 'statline' })
  await bundle.close()
  return `${output[0].code}\nglobalThis.statline = statline`
}

/** Run in the page: follows the day by graphql-ws's own build for browsers. */
const follow = ({ date, origin }: { date: string; origin: string }) => {
  const page = globalThis as unknown as Page // graphql-ws stands there
  page.heard = {}
  page.stale = []
  const options = page.statline.socketOptions({ onStale: (stale) => page.stale.push(stale === null) })
  page.graphqlWs.createClient({ url: `${origin.replace('http', 'ws')}/graphql`, ...options }).subscribe(
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
  /** What it was told of staleness: false while stale, true when current again. */
  stale: boolean[]
  readonly statline: { socketOptions(watcher: { onStale(stale: Date | null): void }): object }
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
const stale = () => (globalThis as unknown as Page).stale // as above
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
    await page.evaluate(await optionsScript())
    await page.evaluate(follow, { date: today, origin: living.url })
    const games = async () => Object.keys(await page.evaluate(heard)).length
    const scored = async () => Object.values(await page.evaluate(heard)).includes(161)
    await expect.poll(games).toBe(all)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    living.score(161)
    await living.pass(16_000)
    await expect.poll(scored).toBe(true)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    expect(await page.evaluate(failed)).toBeNull()
    await page.close()
    await expect.poll(() => followers(living.url)).toBe(0)
    living.graph.calls.take()
    await living.pass(120_000)
    expect(living.graph.calls.take()).toEqual([])
  })

  it('comes back after connections that are cut, and says meanwhile that it is stale', async () => {
    const all = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
    let isUp = true
    let refused = 0
    const connections = new Set<Socket>()
    const gateway = createServer((client) => {
      if (!isUp) return void ((refused += 1), client.destroy())
      const graph = connect(Number(new URL(living.url).port), '127.0.0.1')
      for (const one of [client, graph]) connections.add(one.on('error', () => {}))
      client.pipe(graph).pipe(client)
    })
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    const { port } = gateway.address() as AddressInfo // a server on a port
    const { page } = await visit(browser, `${living.url}/health`)
    await page.evaluate(readFileSync(library, 'utf8'))
    await page.evaluate(await optionsScript())
    await page.evaluate(follow, { date: today, origin: `http://127.0.0.1:${port}` })
    const games = async () => Object.keys(await page.evaluate(heard)).length
    await expect.poll(games).toBe(all)
    isUp = false
    for (const one of connections) one.destroy()
    await expect.poll(() => page.evaluate(stale)).toEqual([false])
    await expect.poll(() => refused).toBeGreaterThan(1)
    isUp = true
    await expect.poll(() => page.evaluate(stale)).toEqual([false, true])
    expect(await page.evaluate(failed)).toBeNull()
    await page.close()
    for (const one of connections) one.destroy()
    gateway.close()
  })
})
