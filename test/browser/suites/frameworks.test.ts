import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakedTimers, startLivingDay } from '../../client/living.ts'
import type { LivingDay } from '../../client/living.ts'
import { installSuite, run } from '../../suite.ts'
import { followers } from '../../followers.ts'
import { launch, missing as noBrowser, visit } from '../browser.ts'

const example = resolve(import.meta.dirname, '../../../examples/vue-and-svelte')
const vite = join(example, 'node_modules/.bin/vite')
const tsc = resolve(import.meta.dirname, '../../../node_modules/.bin/tsc')
const missing = (await installSuite(example)) ?? noBrowser

let day: LivingDay
let browser: Browser
let url: string

/** The built pages, and the graph beside them. A connection that the graph breaks is broken here too. */
const server = createServer((asked, answer) => {
  const { pathname } = new URL(asked.url ?? '/', 'http://127.0.0.1')
  if (pathname !== '/graphql') {
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
    const file = join(example, 'dist', pathname)
    if (!existsSync(file)) return void answer.writeHead(404).end() // as for the browser's own favicon.ico
    return void answer.setHeader('content-type', type).end(readFileSync(file))
  }
  const { method, headers } = asked
  const passed = request(day.url, { method, headers }, (told) => {
    answer.writeHead(told.statusCode ?? 502, told.headers)
    told.pipe(answer)
    told.once('error', () => answer.destroy())
  })
  passed.once('error', () => answer.destroy())
  answer.once('close', () => passed.destroy())
  asked.pipe(passed)
})

/** A day's query and its stream share the day; the stream asks for no conference's name. */
const callsOfDay = ['conference/read', 'game/getGames', 'game/getScores', 'organization/read']

describe.skipIf(missing)(`without React${missing ? ` (skipped: ${missing})` : ''}`, () => {
  beforeAll(async () => {
    day = await startLivingDay()
    browser = await launch()
    const packed = await run(example, 'npm', 'run', 'client')
    expect(packed.code, packed.output).toBe(0)
    const built = await run(example, vite, 'build')
    expect(built.code, built.output).toBe(0)
    expect(built.output).not.toMatch(/warn/i)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo // a server on a port
    url = `http://127.0.0.1:${port}`
  })
  // The browser's driver lives here too: its time goes on by itself.
  beforeEach(() => {
    vi.useFakeTimers({ ...fakedTimers, shouldAdvanceTime: true })
    day.forget()
    day.calls.take()
  })
  afterEach(() => vi.useRealTimers())
  afterAll(async () => {
    await browser?.close()
    server.close()
    server.closeAllConnections()
    await day?.close()
  })

  it('the stores that the documentation shows are typed', async () => {
    const options =
      '--noEmit --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck'
    const files = ['src/vue-store.ts', 'src/svelte-store.ts']
    expect(await run(example, tsc, ...options.split(' '), '--ignoreConfig', ...files)).toEqual({
      code: 0,
      output: '',
    })
  })

  it.each(['vue', 'svelte'])('a page of %s whose address names no day asks for today', async (name) => {
    const before = day.calls.sent.length
    const { page, faults } = await visit(browser, 'about:blank')
    const sent: unknown[] = []
    page.on('request', (one) => {
      if (one.url().endsWith('/graphql')) sent.push(one.postDataJSON())
    })
    await page.goto(`${url}/${name}.html`)
    await expect.poll(() => page.locator('li').count()).toBe(day.games)
    await expect.poll(() => sent.length).toBe(2)
    expect(sent).toEqual([
      expect.objectContaining({ variables: { date: null } }),
      expect.objectContaining({ variables: { date: null } }),
    ])
    const days = day.calls.sent.slice(before).flatMap(({ arguments: values }) => values['start_date'] ?? [])
    expect(new Set(days)).toEqual(new Set([day.date]))
    const first = day.calls.take().map((call) => call.split(' ')[0])
    expect(first.toSorted()).toEqual(callsOfDay)
    expect(faults.filter((fault) => !fault.startsWith('asked '))).toEqual([]) // opened from another page
    await page.close()
    await expect.poll(() => followers(day.url)).toBe(0)
  })

  it.each([
    ['vue', 171],
    ['svelte', 172],
  ])(
    'a page of %s shows a day through the client’s stores, follows it and says when it cannot',
    async (name, points) => {
      const { page, faults } = await visit(browser, `${url}/${name}.html?date=${day.date}`)
      await expect.poll(() => page.locator('li').count()).toBe(day.games)
      const first = day.calls.take().map((call) => call.split(' ')[0])
      expect(first.toSorted()).toEqual(callsOfDay)
      expect(faults).toEqual([])

      day.score(points)
      await day.pass(16_000)
      await page
        .locator('li')
        .filter({ hasText: String(points) })
        .waitFor()
      expect(
        day.calls
          .take()
          .map((call) => call.split(' ')[0])
          .toSorted(),
      ).toEqual(['game/read', 'odds/read'])

      day.drop()
      await page.getByText('Not current since').waitFor()
      expect(await page.locator('li').count()).toBe(day.games)
      await page.getByText('Not current since').waitFor({ state: 'detached' })
      await page.close()
      await expect.poll(() => followers(day.url)).toBe(0)
      day.calls.take()
      await day.pass(120_000)
      expect(day.calls.take()).toEqual([])
    },
  )
})
