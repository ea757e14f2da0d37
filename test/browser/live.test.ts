import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakedTimers, startLivingDay } from '../client/living.ts'
import type { LivingDay } from '../client/living.ts'
import type { Sent } from '../graph/recorder.ts'
import { followers } from '../followers.ts'
import { keep, launch, loaded, missing, seriousFindings, visit } from './browser.ts'

let day: LivingDay
let browser: Browser

const open = () => visit(browser, new URL(`/games/${day.date}`, day.url).href)

/** Run in the page: as when its tab is hidden by another, or shown again. */
const turnTo = (hidden: boolean) => {
  const page = (globalThis as unknown as { document: EventTarget }).document // it is a page
  Object.defineProperty(page, 'hidden', { configurable: true, value: hidden })
  page.dispatchEvent(new Event('visibilitychange'))
}

describe.skipIf(missing)(`a day on the scoreboard${missing ? ` (skipped: ${missing})` : ''}`, () => {
  beforeAll(async () => {
    day = await startLivingDay()
    browser = await launch()
  })
  beforeEach(() => {
    // The browser's driver lives here too: its time goes on by itself.
    vi.useFakeTimers({ ...fakedTimers, shouldAdvanceTime: true })
    day.forget()
    day.calls.take()
  })
  afterEach(() => vi.useRealTimers())
  afterAll(async () => {
    await browser?.close()
    await day?.close()
  })

  it('is followed for what its changes cost, without a second bill for the first view, and no longer than it is seen', async () => {
    const before = day.calls.sent.length
    const { page, faults } = await open()
    const link = page.locator(`a[href="/game/${day.live}"]`)
    const card = page.locator('.card').filter({ has: link })
    await card.waitFor()
    await expect.poll(() => followers(day.url)).toBe(1)
    await loaded(page)
    const first = day.calls.sent.slice(before)
    // The counts of the days around are calls of other days, and as many as fit the page's limit.
    const others = (one: Sent) =>
      one.operation === 'game/getScores' && one.arguments['start_date'] !== day.date
    const own = (calls: readonly Sent[]) =>
      calls.filter((one) => !others(one)).map(({ operation }) => operation)
    expect(own(first).toSorted()).toEqual([
      'conference/read',
      'game/getGames',
      'game/getScores',
      'organization/read',
    ])
    const bill = page.getByRole('contentinfo')
    const isBilled = async () =>
      (await bill.innerText()).includes(`${day.calls.sent.length - before} calls to the service`)
    await expect.poll(isBilled).toBe(true)
    const seen = day.calls.sent.length

    day.score(188)
    await day.pass(16_000)
    await card.filter({ hasText: '188' }).waitFor()
    expect(own(day.calls.sent.slice(seen)).toSorted()).toEqual(['game/read', 'odds/read'])
    await expect.poll(isBilled).toBe(true)
    day.calls.take()
    await keep(page, 'live')

    await page.evaluate(turnTo, true)
    await expect.poll(() => followers(day.url)).toBe(0)
    await day.pass(120_000)
    expect(day.calls.take()).toEqual([])
    day.score(189)
    await page.evaluate(turnTo, false)
    await card.filter({ hasText: '189' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(faults).toEqual([])

    await expect.poll(() => followers(day.url)).toBe(1)
    await page.close()
    await expect.poll(() => followers(day.url)).toBe(0)
    day.calls.take()
    await day.pass(120_000)
    expect(day.calls.take()).toEqual([])
  })

  it('says quietly that it is not followed just now, keeps its scores, and is followed again', async () => {
    const { page, faults } = await visit(browser, 'about:blank')
    const isStream = (accept: string | undefined) => accept?.includes('text/event-stream') ?? false
    await page.route('**/graphql', (route) =>
      isStream(route.request().headers()['accept']) ? route.abort() : route.continue(),
    )
    await page.goto(new URL(`/games/${day.date}`, day.url).href)
    const notice = page.getByRole('status').filter({ hasText: 'The connection was lost' })
    await notice.waitFor()
    const cards = await page.locator('.card').count()
    expect(cards).toBe(day.games)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
    await keep(page, 'interrupted')
    await page.unroute('**/graphql')
    await notice.waitFor({ state: 'detached' })
    expect(await page.locator('.card').count()).toBe(cards)
    // What the browser itself says of a request that fails.
    expect(
      faults.filter((fault) => !fault.includes('net::ERR_FAILED') && !fault.startsWith('asked ')),
    ).toEqual([])
    await page.close()
  })
})
