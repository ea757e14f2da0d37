import { describe, expect, it } from 'vitest'
import type { Sent } from '../graph/recorder.ts'
import { followers } from '../followers.ts'
import { keep, loaded, missing, seriousFindings } from './browser.ts'
import { startLivingSite } from './site.ts'

/** Run in the page: as when its tab is hidden by another, or shown again. */
const turnTo = (hidden: boolean) => {
  const page = (globalThis as unknown as { document: EventTarget }).document // it is a page
  Object.defineProperty(page, 'hidden', { configurable: true, value: hidden })
  page.dispatchEvent(new Event('visibilitychange'))
}

describe.skipIf(missing)(`a day on the scoreboard${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startLivingSite()
  const open = () => site.open(`/games/${site.day.date}`)

  it('is followed for what its changes cost, without a second bill for the first view, and no longer than it is seen', async () => {
    const before = site.day.calls.sent.length
    const { page, faults } = await open()
    const link = page.locator(`a[href="/game/${site.day.live}"]`)
    const card = page.locator('.card').filter({ has: link })
    await card.waitFor()
    await expect.poll(() => followers(site.day.url)).toBe(1)
    await loaded(page)
    const first = site.day.calls.sent.slice(before)
    // The counts of the days around are calls of other days, and as many as fit the page's limit.
    const others = (one: Sent) =>
      one.operation === 'game/getScores' && one.arguments['start_date'] !== site.day.date
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
      (await bill.innerText()).includes(`${site.day.calls.sent.length - before} calls to the service`)
    await expect.poll(isBilled).toBe(true)
    const seen = site.day.calls.sent.length

    site.day.score(188)
    await site.day.pass(16_000)
    await card.filter({ hasText: '188' }).waitFor()
    expect(own(site.day.calls.sent.slice(seen)).toSorted()).toEqual(['game/read', 'odds/read'])
    await expect.poll(isBilled).toBe(true)
    site.day.calls.take()
    await keep(page, 'live')

    await page.evaluate(turnTo, true)
    await expect.poll(() => followers(site.day.url)).toBe(0)
    await site.day.pass(120_000)
    expect(site.day.calls.take()).toEqual([])
    site.day.score(189)
    await page.evaluate(turnTo, false)
    await card.filter({ hasText: '189' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(faults).toEqual([])

    await expect.poll(() => followers(site.day.url)).toBe(1)
    await page.close()
    await expect.poll(() => followers(site.day.url)).toBe(0)
    site.day.calls.take()
    await site.day.pass(120_000)
    expect(site.day.calls.take()).toEqual([])
  })

  it('says quietly that it is not followed just now, keeps its scores, and is followed again', async () => {
    const { page, faults } = await site.openBlank()
    const isStream = (accept: string | undefined) => accept?.includes('text/event-stream') ?? false
    await page.route('**/graphql', (route) =>
      isStream(route.request().headers()['accept']) ? route.abort() : route.continue(),
    )
    await page.goto(new URL(`/games/${site.day.date}`, site.day.url).href)
    const notice = page.getByRole('status').filter({ hasText: 'The connection was lost' })
    await notice.waitFor()
    const cards = await page.locator('.card').count()
    expect(cards).toBe(site.day.games)
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
