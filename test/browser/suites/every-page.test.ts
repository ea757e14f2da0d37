import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { readDocuments } from '../../../src/server/documents.ts'
import { allSuites } from '../../all-suites.ts'
import { held, loaded, missing } from '../browser.ts'
import { pagesOf } from '../sample-day.ts'
import { startSite } from '../site.ts'

let pages: Awaited<ReturnType<typeof pagesOf>>

/** West and east of the games; before a release also one between. */
const zones = ['America/Los_Angeles', 'Asia/Tokyo', ...(allSuites ? ['Europe/Berlin'] : [])]

/** Moments of the reader: times, and the days beside them, as of a line. A game's day stands alone. */
const moment = /(?:[A-Z][a-z]{2} \d{1,2}, )?\d{1,2}:\d\d\s[AP]M/g

/** What a page says, moments apart. A chart's axis has the reader's days. */
async function wordsOf(page: Page): Promise<string> {
  await page.locator('.chart, .movement').evaluateAll((charts: Removable[]) => {
    for (const chart of charts) chart.remove()
  })
  return (await page.getByRole('main').innerText()).replace(moment, 'then')
}

/** Resolves when a page no longer changes. On a busy machine, the query that follows from an answer comes late. */
async function settled(page: Page): Promise<void> {
  const said = () => page.getByRole('main').innerText()
  let words = await said()
  const isSame = async () => {
    const before = words
    await page.waitForTimeout(500)
    await loaded(page)
    words = await said()
    return words === before
  }
  await expect.poll(isSame).toBe(true)
}

interface Removable {
  remove(): void
}

/** Run in the page: how far its parts were moved, as browsers add it up (Cumulative Layout Shift). */
const shifted = `new Promise((is) => {
  new PerformanceObserver((list) =>
    is(list.getEntries().reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0)),
  ).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => is(0), 300)
})`

/** Waits for a part of a page; a failure tells what the page shows instead. */
async function shows(page: Page, part: string, name: string): Promise<void> {
  const words = () => page.locator('body').innerText()
  await page
    .locator(part)
    .first()
    .waitFor()
    .catch(async () => expect.fail(`${name} has no ${part}, but: ${await words()}`))
}

describe.skipIf(missing)(
  `every page of a server that answers only what its own pages send${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    // The server trusts what its own pages send, and answers nothing else.
    const site = startSite({ documents: readDocuments(null, true) })
    beforeAll(async () => {
      pages = await pagesOf(site.server)
    })

    it('says the same in each time zone but for the times, whose zone it names', async () => {
      const readers = await Promise.all(
        zones.map(async (timezoneId) => ({ timezoneId, ...(await site.open('/leagues', { timezoneId })) })),
      )
      for (const [name, [path, part]] of Object.entries(pages)) {
        const said: string[] = []
        for (const { timezoneId, page, faults } of readers) {
          site.server.forget() // what a page offers for a price depends on what is paid for
          await page.goto(`${site.server.url}${path}`)
          await shows(page, part, name)
          await loaded(page)
          const zone = timezoneId.replace('_', ' ')
          await expect
            .poll(() => page.getByRole('contentinfo').innerText(), { message: name })
            .toContain(`Times are yours (${zone})`)
          expect(await page.getByRole('alert').count(), name).toBe(0)
          expect(faults, name).toEqual([])
          await settled(page)
          said.push(await wordsOf(page))
        }
        for (const [nth, zone] of zones.entries()) expect(said[nth], `${name} in ${zone}`).toBe(said[0])
      }
      for (const { page } of readers) await page.close()
      expect(site.operations()).toEqual(
        expect.arrayContaining(['boxscore/readBoxscore', 'division/read', 'elo/read', 'game/getGames']),
      )
    })

    it('says that it loads while the network is slow, and hardly moves when answers come', async () => {
      const { nothing: _nothing, ...others } = pages
      for (const [name, [path, part]] of Object.entries(others)) {
        const { page } = await site.openBlank()
        const answers = await held(page)
        await page.goto(`${site.server.url}${path}`)
        await page.locator('.loading').first().waitFor()
        await expect.poll(() => answers.waiting(), { message: name }).toBeGreaterThan(0)
        expect(await page.getByRole('alert').count(), name).toBe(0)
        await expect
          .poll(() => page.getByRole('navigation', { name: 'Pages' }).isVisible(), { message: name })
          .toBe(true)
        answers.release()
        await page.locator(part).first().waitFor()
        await loaded(page)
        expect(await page.getByRole('alert').count(), name).toBe(0)
        expect(await page.evaluate(shifted), name).toBeLessThan(0.1)
        await page.close()
      }
    })
  },
)
