import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startRestarting } from '../../client/restarting.ts'
import { held, isStream, launch, loaded, missing, visit } from '../browser.ts'
import { date, finishedGame } from '../sample-day.ts'
import { startLivingSite, startSite } from '../site.ts'

/** What has the focus, by its accessible name or its text. */
const focused = (page: Page) =>
  page.evaluate(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()`,
  )

describe.skipIf(missing)(`a walk on the scoreboard${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startSite()
  const { open } = site

  describe('by keyboard', () => {
    it('skips to the page, chooses a status, makes a favourite and finds it first', async () => {
      const { page, faults } = await open(`/games/${date}`)
      await page.locator('.card').first().waitFor()
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Skip to the page')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Today')
      const final = page.getByRole('button', { name: /^Final/ })
      await final.focus()
      await page.keyboard.press('Space')
      await expect.poll(() => final.getAttribute('aria-pressed')).toBe('true')
      await expect.poll(() => new URL(page.url()).search).toBe('?status=final')
      await expect.poll(() => page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Final'])
      const star = page.locator('.card').last().getByRole('button').first()
      const team = (await star.getAttribute('aria-label'))?.replace('Favourite: ', '') ?? ''
      await star.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your teams' }).waitFor()
      await expect.poll(() => page.locator('.card').first().innerText()).toContain(team)
      await page.reload()
      await page.getByRole('heading', { name: 'Your teams' }).waitFor()
      expect(faults).toEqual([])
      await page.close()
    })

    it('searches: arrows choose, Enter opens, Escape closes and then clears', async () => {
      const { page, faults } = await open('/leagues')
      await page.locator('.leagues a').first().waitFor()
      const box = page.getByRole('combobox', { name: /Search/ })
      // Slow typing finds results for the first letters, too, which are replaced.
      const searched = page.waitForResponse((response) => !!response.request().postData()?.includes('"Dunm"'))
      await box.pressSequentially('Dunm')
      await searched
      await loaded(page)
      const options = page.getByRole('option')
      await options.first().waitFor()
      await expect.poll(() => options.first().getAttribute('aria-selected')).toBe('false')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await expect.poll(() => options.first().getAttribute('aria-selected')).toBe('true')
      await expect
        .poll(() => box.getAttribute('aria-activedescendant'))
        .toBe(await options.first().getAttribute('id'))
      await page.keyboard.press('Escape')
      await expect.poll(() => options.count()).toBe(0)
      await expect.poll(() => box.inputValue()).toBe('Dunm')
      await page.keyboard.press('Escape')
      await expect.poll(() => box.inputValue()).toBe('')
      await box.fill('Zion Dunmore')
      await options.filter({ hasText: 'Elder Springs State' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Zion Dunmore' }).waitFor()
      expect(faults).toEqual([])
      await page.close()
    })

    it('opens what was typed when Enter comes before its results, not what an earlier text found', async () => {
      const { page, faults } = await open('/leagues')
      await page.locator('.leagues a').first().waitFor()
      const box = page.getByRole('combobox', { name: /Search/ })
      await box.fill('Elder Springs')
      await page.getByRole('option').filter({ hasText: 'Elder Springs State' }).first().waitFor()
      const answers = await held(page)
      await box.fill('Zion Dunmore')
      await page.keyboard.press('Enter')
      await expect.poll(() => answers.waiting()).toBeGreaterThan(0)
      expect(new URL(page.url()).pathname).toBe('/leagues')
      answers.release()
      await page.getByRole('heading', { level: 1, name: 'Zion Dunmore' }).waitFor()
      expect(faults).toEqual([])
      await page.close()
    })

    it('does not open what only resembles the text, nor anything once the text has changed', async () => {
      const { page } = await open('/leagues')
      await page.locator('.leagues a').first().waitFor()
      const box = page.getByRole('combobox', { name: /Search/ })
      await box.fill('Dunmroe')
      await page.keyboard.press('Enter')
      await page.getByText(/Nothing has this name. \d+ results? like it/).waitFor()
      expect(new URL(page.url()).pathname).toBe('/leagues')
      const answers = await held(page)
      await box.fill('Zion Dunmore')
      await page.keyboard.press('Enter')
      await box.fill('Dunm')
      answers.release()
      await page.getByRole('option').filter({ hasText: 'Dunmore' }).first().waitFor()
      expect(new URL(page.url()).pathname).toBe('/leagues')
      await page.close()
    })

    it('finds what was typed with a slip, for a few tokens', async () => {
      const { page } = await open('/leagues')
      await page.locator('.leagues a').nth(1).waitFor()
      await loaded(page)
      site.server.calls.take()
      await page.getByRole('combobox', { name: /Search/ }).fill('Dunmroe')
      await page.getByText(/Nothing has this name. \d+ results like it/).waitFor()
      await expect.poll(() => page.getByRole('option').first().innerText()).toContain('Dunmore')
      await loaded(page)
      const calls = site.server.calls.take()
      expect(calls.length).toBeLessThanOrEqual(15)
      await page.getByRole('combobox', { name: /Search/ }).fill('Qqqqqqqq')
      await page.getByText('Nothing found.').waitFor()
      await page.close()
    })

    it('sorts a table, and scrolls it where it is wider than the screen', async () => {
      const { homeTeam, season } = await finishedGame(site.server)
      const { page } = await open(`/conference/${homeTeam.conferenceId}/${season}`, { width: 320 })
      const streak = page.getByRole('button', { name: 'Games won or lost in a row' })
      await streak.focus()
      await page.keyboard.press('Enter')
      await page.locator('[aria-sort=descending]').filter({ hasText: 'Strk' }).waitFor()
      const region = page.getByRole('region', { name: 'Standings' })
      await region.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => region.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
      await page.close()
    })
  })

  it('asks before it spends more than 60 tokens, and spends what it said', async () => {
    site.server.forget()
    const { homeTeam, season } = await finishedGame(site.server)
    const { page } = await open(`/conference/${homeTeam.conferenceId}/${season}`)
    const button = page.getByRole('button', { name: /^Show for \d+ tokens$/ })
    await button.waitFor()
    await loaded(page)
    const bill = page.getByRole('contentinfo')
    const before = Number(/cost (\d+) token/.exec(await bill.innerText())?.[1])
    expect(before).toBeLessThanOrEqual(60)
    const price = Number(/\d+/.exec(await button.innerText())?.[0])
    await button.click()
    await page.getByRole('columnheader', { name: 'Games behind' }).waitFor()
    await expect
      .poll(async () => Number(/cost (\d+) token/.exec(await bill.innerText())?.[1]) - before)
      .toBeGreaterThan(price / 2)
    await loaded(page)
    const after = Number(/cost (\d+) token/.exec(await bill.innerText())?.[1])
    expect(after - before).toBeLessThanOrEqual(price * 1.5)
    await bill.getByText('This page has cost').click()
    // What was asked while the bill was closed is explained when it opens.
    await expect
      .poll(() => bill.getByRole('table').innerText())
      .toMatch(/Conference\.standings\s+team\/getStats/)
    await page.close()
  })

  it('shows at the address of standings the same table before and after its rows are bought', async () => {
    site.server.forget()
    const { homeTeam, season } = await finishedGame(site.server)
    const address = `/conference/${homeTeam.conferenceId}/${season}`
    const shown = async () => {
      const { page } = await open(address)
      const offer = page.getByRole('button', { name: /^Show for \d+ tokens$/ })
      const columns = page.getByRole('table', { name: 'Standings' }).getByRole('columnheader')
      await columns.first().waitFor()
      await loaded(page)
      return { page, offer, columns: await columns.allInnerTexts() }
    }
    const first = await shown()
    await first.offer.click()
    await first.page.getByRole('columnheader', { name: 'Games behind' }).waitFor()
    await loaded(first.page)
    await first.page.close()
    site.server.calls.take()
    const again = await shown()
    expect(again.columns).toEqual(first.columns)
    expect(site.server.calls.take()).toEqual([])
    await again.offer.click()
    await again.page.getByRole('columnheader', { name: 'Games behind' }).waitFor()
    expect(site.server.calls.take()).toEqual([])
    await again.page.close()
  })

  it('shows the conference before when the reader goes back in the standings', async () => {
    const { page } = await open('/standings')
    const conference = page.getByRole('combobox', { name: 'Conference' })
    const table = page.getByRole('table', { name: 'Standings' })
    const shown = () => page.getByRole('heading', { level: 1 }).innerText()
    await table.waitFor()
    const first = await shown()
    await conference.selectOption({ index: 1 })
    await expect.poll(shown).not.toBe(first)
    await table.waitFor()
    await loaded(page)
    site.server.calls.take()
    await page.goBack()
    await expect.poll(shown).toBe(first)
    await table.waitFor()
    await loaded(page)
    expect(site.server.calls.take()).toEqual([])
    await page.goForward()
    await expect.poll(shown).not.toBe(first)
    await page.close()
  })

  it('says why a season is empty, and leads to those that are not', async () => {
    const { homeTeam, season } = await finishedGame(site.server)
    const { page } = await open(`/conference/${homeTeam.conferenceId}/1999`)
    await page.getByText(/There are no standings of 1999: the service’s games begin with \d{4}/).waitFor()
    await page.getByRole('link', { name: `Season ${season}` }).click()
    await page.getByRole('table', { name: 'Standings' }).waitFor()
    await page.goto(`${site.server.url}/conference/${homeTeam.conferenceId}/${season + 1}`)
    await page.getByText(`There are no standings of ${season + 1} yet`).waitFor()
    await page.close()
  })

  it('offers the seasons before and after, but none that has not begun, and pays nothing to know', async () => {
    const { homeTeam, season } = await finishedGame(site.server)
    const { page } = await open(`/games/${date}`)
    await page.locator('.card').first().waitFor()
    const seasons = page.getByRole('navigation', { name: 'Season' }).getByRole('link')
    for (const path of [
      `/team/${homeTeam.teamId}`,
      `/conference/${homeTeam.conferenceId}`,
      '/leaders/teams',
    ]) {
      const address = path === '/leaders/teams' ? `${path}/points` : path
      await page.goto(`${site.server.url}${address}/${season}`)
      await page.getByText(`Season ${season}`).first().waitFor()
      await loaded(page)
      await expect.poll(() => seasons.allInnerTexts(), { message: path }).toEqual([`← ${season - 1}`])
      await page.goto(`${site.server.url}${address}/${season - 1}`)
      await expect
        .poll(() => seasons.allInnerTexts(), { message: path })
        .toEqual([`← ${season - 2}`, `${season} →`])
      await loaded(page)
    }
    site.server.forget()
    site.server.calls.take()
    // Nothing is known yet: the page pays for what it shows alone, and offers no season on a guess.
    await page.goto(`${site.server.url}/leaders/teams/points/${season}`)
    await page.getByText('An average team of the season').waitFor()
    await loaded(page)
    await expect.poll(() => seasons.allInnerTexts()).toEqual([`← ${season - 1}`])
    const paid = site.operations()
    expect(paid.toSorted()).toEqual(['conference/read', 'league_statistic_ranking/getStats'])
    // The bill explains what was answered; what was refused for its price stays unpaid.
    await page.getByText('This page has cost').click()
    await expect
      .poll(() => page.getByRole('contentinfo').getByRole('table').innerText())
      .toContain('conference/read')
    await loaded(page)
    expect(site.server.calls.take()).toEqual([])
    await page.close()
  })

  it.each([
    ['America/Los_Angeles', '11:00 AM'],
    ['Europe/Berlin', '8:00 PM'],
    ['Asia/Tokyo', '4:00 AM'],
  ])('shows times in %s and the same day of the league', async (timezoneId, time) => {
    const { page } = await open(`/games/${date}`, { timezoneId })
    await page.locator('.card').first().waitFor()
    await expect
      .poll(() => page.locator('.card .state').allInnerTexts())
      .toContainEqual(expect.stringContaining(time))
    await page.getByRole('heading', { level: 1, name: 'Saturday, February 14' }).waitFor()
    await expect.poll(() => page.locator('.strip [aria-current=date]').innerText()).toContain('Feb 14')
    const zone = timezoneId.replace('_', ' ')
    await expect.poll(() => page.getByRole('contentinfo').innerText()).toContain(`Times are yours (${zone})`)
    await page.close()
  })

  it('shows that it loads on a slow network, and does not jump when the answer comes', async () => {
    const { page } = await site.openBlank()
    const answers = await held(page)
    await page.goto(`${site.server.url}/games/${date}`)
    await page.getByText('Loading the day’s games…').waitFor()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('February 14')
    const strip = await page.locator('.strip').boundingBox()
    answers.release()
    await page.locator('.card').first().waitFor()
    expect(await page.locator('.strip').boundingBox()).toEqual(strip)
    await page.close()
  })
})

describe.skipIf(missing)(`while games are played${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startLivingSite()

  it('reads out a change of the lead, and every score of a favourite, but not the bill', async () => {
    const { page } = await site.openBlank()
    const opened = page.waitForResponse(isStream)
    await page.goto(new URL(`/games/${site.day.date}`, site.day.url).href)
    const card = page.locator('.card').filter({ has: page.locator(`a[href="/game/${site.day.live}"]`) })
    await card.waitFor()
    const news = page.getByRole('status', { name: 'Scores' })
    await opened
    site.day.score(188)
    await site.day.pass(16_000)
    await expect.poll(() => news.innerText()).toMatch(/188/)
    site.day.score(190)
    await site.day.pass(16_000)
    await card.filter({ hasText: '190' }).waitFor()
    expect(await news.innerText()).toMatch(/188/)
    await card
      .getByRole('button', { name: /^Favourite/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Your teams' }).waitFor()
    site.day.score(191)
    await site.day.pass(16_000)
    await expect.poll(() => news.innerText()).toMatch(/191/)
    expect(await page.locator('footer [aria-live], footer [role=status]').count()).toBe(0)
    await page.close()
  })
})

describe.skipIf(missing)(`when the server restarts${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('keeps its scores, says until when they were current, and follows again', async () => {
    const browser = await launch()
    const graph = await startRestarting()
    try {
      const { page } = await visit(browser, 'about:blank')
      const opened = page.waitForResponse(isStream)
      await page.goto(new URL(`/games/${date}`, graph.url).href)
      await page.locator('.card').first().waitFor()
      await opened
      await loaded(page)
      const games = await page.locator('.card').count()
      // The page does not reach the server again before it has been looked at.
      await page.route('**/graphql', (route) => route.abort())
      const restarted = fetch(`${graph.control}/restart/SIGKILL`)
      const notice = page.getByRole('status').filter({ hasText: 'The connection was lost' })
      await notice.waitFor()
      await expect.poll(() => notice.innerText()).toMatch(/As of \d+:\d\d/)
      expect(await page.locator('.card').count()).toBe(games)
      await restarted
      await page.unroute('**/graphql')
      await notice.waitFor({ state: 'detached' })
      await page.close()
    } finally {
      await graph.close()
      await browser.close()
    }
  })
})
