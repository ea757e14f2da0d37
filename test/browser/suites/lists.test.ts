import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { football } from '../../graph/harness.ts'
import { loaded, missing } from '../browser.ts'
import { date, finishedGame, gamesOfDay } from '../sample-day.ts'
import { playing } from '../under-way.ts'
import type { UnderWay } from '../under-way.ts'
import { startSite } from '../site.ts'

const state: UnderWay = { game: '', home: 41, away: 51 }

/** The tokens that a page says it has cost. */
async function costOf(page: Page): Promise<number> {
  const words = await page.getByRole('contentinfo').innerText()
  return Number(/cost (\d+) token/.exec(words)?.[1])
}

describe.skipIf(missing)(`the scoreboard’s lists${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startSite({ between: (request, service) => playing(state)(request, service) })
  const { open } = site
  beforeAll(async () => {
    const game = (await gamesOfDay(site.server)).find(({ status }) => status !== 'final')
    if (!game) throw new Error('The sample day has no game to come.')
    state.game = game.gameId
  })

  it('have live games first, then those to come, then those that are over', async () => {
    const { page } = await open(`/games/${date}`)
    await page.locator('.card.live').first().waitFor()
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await expect.poll(() => headings.allInnerTexts()).toEqual(['Live', 'Upcoming', 'Final'])
    const first = page.locator('.card').first()
    await expect.poll(() => first.locator(`a[href="/game/${state.game}"]`).count()).toBe(1)
    await expect.poll(() => first.innerText()).toMatch(/LIVE\s+2nd Half/i)
    await page.close()
  })

  it('show the games of one conference, which the address keeps', async () => {
    const games = await gamesOfDay(site.server)
    const id = games[0]?.homeTeam.conferenceId ?? ''
    const own = games.filter((game) =>
      [game.homeTeam, game.awayTeam].some((side) => side.conferenceId === id),
    )
    expect(own.length).toBeLessThan(games.length)
    const { page, faults } = await open(`/games/${date}`)
    const cards = page.locator('.card')
    await expect.poll(() => cards.count()).toBe(games.length)
    await page.getByRole('combobox', { name: 'Conference' }).selectOption(id)
    await expect.poll(() => cards.count()).toBe(own.length)
    for (const { gameId } of own)
      await expect.poll(() => page.locator(`.card a[href="/game/${gameId}"]`).count()).toBe(1)
    await page.getByRole('button', { name: `All ${own.length}` }).waitFor()
    await page.reload()
    await expect.poll(() => cards.count()).toBe(own.length)
    await page.getByRole('combobox', { name: 'Conference' }).selectOption('')
    await expect.poll(() => cards.count()).toBe(games.length)
    expect(faults).toEqual([])
    await page.close()
  })

  it('keep their first column in view on phones while the numbers scroll', async () => {
    const { homeTeam, season } = await finishedGame(site.server)
    const { page } = await open(`/team/${homeTeam.teamId}/${season}/roster`, { width: 320 })
    const region = page.getByRole('region', { name: 'Roster', exact: true })
    const name = region.getByRole('rowheader').first()
    const number = region.getByRole('cell').first()
    await name.waitFor()
    const [before, moving] = [await name.boundingBox(), await number.boundingBox()]
    await region.evaluate((part) => void (part.scrollLeft = 80))
    await expect.poll(async () => (await number.boundingBox())?.x).toBe((moving?.x ?? 0) - 80)
    expect((await name.boundingBox())?.x).toBe(before?.x)
    await page.close()
  })

  it('explain what their short labels mean, to the eye and to the ear', async () => {
    const { homeTeam, season } = await finishedGame(site.server)
    const { page } = await open(`/conference/${homeTeam.conferenceId}/${season}`)
    const table = page.getByRole('table', { name: 'Standings' })
    await table.getByRole('columnheader', { name: 'Games won or lost in a row' }).waitFor()
    const meaning = page.getByText('Games won or lost in a row').last()
    expect(await meaning.isVisible()).toBe(false)
    await page.getByText('What the columns mean').click()
    await expect.poll(() => meaning.isVisible()).toBe(true)
    await page.close()
  })

  it('show a week of few games whole, a day after the other, within what a page spends unasked', async () => {
    site.server.forget()
    const base = `/league/${football.organization_id}/${football.division_id}`
    const { page } = await open(`${base}/week/${date}`)
    await page.locator('.card').first().waitFor()
    await page.locator('.loading').waitFor({ state: 'detached' })
    expect(await page.locator('.offer').count()).toBe(0)
    // The day that was asked for stays at the top; the days before it follow those after it.
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await expect.poll(() => headings.count()).toBeGreaterThan(1)
    expect((await headings.allInnerTexts())[0]).toBe('Saturday, February 14')
    expect(await costOf(page)).toBeLessThanOrEqual(60)
    await page.close()
  })

  it('count the games of the days around as far as they fit, and offer the rest', async () => {
    site.server.forget()
    const { page } = await open(`/games/${date}`)
    const counts = page.locator('.strip .count:not(:empty)')
    const offer = page.locator('.offer').filter({ hasText: 'days around' })
    await offer.waitFor()
    const before = await counts.count()
    expect(await costOf(page)).toBeLessThanOrEqual(60)
    await offer.getByRole('button').click()
    await expect.poll(() => counts.count()).toBe(7)
    expect(before).toBeLessThan(7)
    await page.close()
  })

  it('ask for records and counts side by side, and spend no more than one page may', async () => {
    for (const day of ['2026-02-10', '2026-02-12', '2026-02-13']) {
      site.server.forget()
      const { page } = await open(`/games/${day}`)
      await page.locator('.card').first().waitFor()
      await loaded(page)
      expect(await costOf(page)).toBeLessThanOrEqual(60)
      await page.close()
    }
  })

  it('name no coaches in a search, who have no page', async () => {
    const { data } = await site.server.sample.graph().query<{
      league: { search: { coaches: { coach: { firstName: string; lastName: string } }[] } }
    }>('{ league { search(name: "an", groups: [COACHES]) { coaches { coach { firstName lastName } } } } }')
    const [found] = data.league.search.coaches
    if (!found) throw new Error('The sample league has no such coach.')
    const { firstName, lastName } = found.coach
    const { page } = await open('/leagues')
    await page.locator('.leagues a').first().waitFor()
    site.server.calls.take()
    await page.getByRole('combobox', { name: /Search/ }).fill(`${firstName} ${lastName}`)
    const news = page.locator('.matches [role=status]')
    await expect.poll(() => news.innerText()).toMatch(/Nothing found|like it|result/)
    expect(await page.getByRole('option').filter({ hasText: 'coach' }).count()).toBe(0)
    await page.close()
  })
})

describe.skipIf(missing)('a page whose script cannot be loaded', () => {
  const site = startSite()

  it('says so, keeps the rest of the site, and loads anew', async () => {
    const { season } = await finishedGame(site.server)
    const { page } = await site.open(`/games/${date}`)
    await page.locator('.card').first().waitFor()
    await page.route(/\/assets\/leaders-.*\.js$/, (route) => route.abort())
    await page.getByRole('link', { name: 'Leaders' }).click()
    await page.getByRole('heading', { level: 1, name: 'This page failed' }).waitFor()
    await page.getByRole('alert').getByText('could not be loaded').waitFor()
    // The rest of the site is there: another page opens without a reload.
    await page.getByRole('link', { name: 'Standings' }).click()
    await page.locator('main table').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/standings')
    await page.unroute(/\/assets\/leaders-.*\.js$/)
    await page.goto(`${site.server.url}/leaders/teams/points/${season}`)
    await page.getByRole('heading', { level: 1, name: 'Leaders' }).waitFor()
    await page.close()
  })
})
