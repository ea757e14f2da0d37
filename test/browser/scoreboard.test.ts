import { describe, expect, it } from 'vitest'
import { loaded, missing } from './browser.ts'
import { date, finishedGame, pagesOf } from './sample-day.ts'
import { startSite } from './site.ts'

describe.skipIf(missing)(
  `the scoreboard in a real Chromium${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    const site = startSite()
    const { open } = site

    it('has its pages, each at an address of its own with a title', async () => {
      const titles = new Set<string>()
      // A page's tabs, `game-odds`, share its title; the suites visit them too.
      const pages = Object.entries(await pagesOf(site.server)).filter(([name]) => !name.includes('-'))
      for (const [name, [path, part]] of pages) {
        const { page, faults } = await open(path)
        await page.locator(part).first().waitFor()
        await loaded(page)
        titles.add(await page.title())
        expect(await page.getByRole('alert').count(), name).toBe(0)
        expect(faults, name).toEqual([])
        await page.close()
      }
      expect(titles.size).toBe(pages.length)
    })

    it.each(['/games/2026-02-31', '/week/2026-13-01', '/team/x/9999', '/conference/x/1066'])(
      'says that there is nothing at %s, and leads on from there',
      async (path) => {
        const { page } = await open(path)
        await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
        await page.getByRole('link', { name: 'Standings' }).first().click()
        await page.locator('main table').waitFor()
        await page.close()
      },
    )

    it('follows links without loading anew, and shows a page where it was left when the reader goes back', async () => {
      const { gameId, homeTeam } = await finishedGame(site.server)
      const { page, faults } = await open(`/games/${date}`)
      await page.evaluate('globalThis.isSamePage = true')
      const card = page.locator('.card').filter({ hasText: homeTeam.name }).first()
      await card.waitFor()
      await loaded(page)
      await page.evaluate('scrollTo(0, 400)')
      await expect.poll(() => page.evaluate('history.state?.scrolled')).toBe(400)
      await page.evaluate(`document.querySelector('a[href="/game/${gameId}"]').click()`)
      await page.getByRole('heading', { level: 1 }).filter({ hasText: homeTeam.name }).waitFor()
      await expect.poll(() => page.evaluate('scrollY')).toBe(0)
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
      await page.goBack()
      await card.waitFor()
      await expect.poll(() => page.evaluate('scrollY')).toBe(400)
      expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
      expect(faults).toEqual([])
      await page.close()
    })
  },
)
