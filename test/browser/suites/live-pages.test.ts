import { describe, expect, it } from 'vitest'
import { allFindings, isStream, keep, loaded, missing } from '../browser.ts'
import { gamesOfDay } from '../sample-day.ts'
import { playing } from '../under-way.ts'
import type { UnderWay } from '../under-way.ts'
import { startLivingSite, startSite } from '../site.ts'

const lost = 'The connection was lost; trying again.'

describe.skipIf(missing)(`a week on the scoreboard${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startLivingSite()

  it('follows the game under way for what its changes cost, and says when it cannot', async () => {
    site.day.score(150)
    const { page } = await site.openBlank()
    const opened = page.waitForResponse(isStream)
    await page.goto(new URL(`/week/${site.day.date}`, site.day.url).href)
    const link = page.locator(`a[href="/game/${site.day.live}"]`)
    const card = page.locator('.card').filter({ has: link })
    await card.filter({ hasText: '150' }).waitFor()
    await opened
    await page.locator('.offer').waitFor()
    expect(site.operations()).toEqual([
      'conference/read',
      'game/getGames',
      'game/getScores',
      'organization/read',
    ])

    site.day.score(188)
    await site.day.pass(16_000)
    await card.filter({ hasText: '188' }).waitFor()
    expect(site.operations()).toEqual(['game/read', 'odds/read'])

    await page.route('**/graphql', (route) => route.abort())
    site.day.drop()
    const notice = page.getByRole('status').filter({ hasText: lost })
    await notice.waitFor()
    await expect.poll(() => notice.innerText()).toMatch(/As of \d+:\d\d/)
    expect(await card.innerText()).toContain('188')
    expect(await allFindings(page)).toEqual([])
    await page.unroute('**/graphql')
    await notice.waitFor({ state: 'detached' })
    await page.close()
  })

  it('says that the service does not answer, and when it does again, and drops a game that was withdrawn', async () => {
    site.day.score(150)
    const { page } = await site.openBlank()
    const opened = page.waitForResponse(isStream)
    await page.goto(new URL(`/week/${site.day.date}`, site.day.url).href)
    const card = page.locator('.card').filter({ has: page.locator(`a[href="/game/${site.day.live}"]`) })
    await card.waitFor()
    await opened
    await page.locator('.offer').waitFor()
    site.day.calls.take()
    site.day.up(false)
    const notice = page
      .getByRole('status')
      .filter({ hasText: 'The statistics service does not answer just now.' })
    await site.day.pass(16_000)
    await site.day.pass(16_000)
    await notice.waitFor()
    expect(await notice.innerText()).toMatch(/As of \d+:\d\d/)
    await keep(page, 'week-stale')
    expect(await allFindings(page)).toEqual([])
    site.day.up(true)
    await site.day.pass(61_000)
    await notice.waitFor({ state: 'detached' })
    expect(await card.count()).toBe(1)

    site.day.withdraw(site.day.live)
    await site.day.pass(16_000)
    await card.waitFor({ state: 'detached' })
    await keep(page, 'week-withdrawn')
    site.day.withdraw(null)
    await page.close()
  })
})

describe.skipIf(missing)('the page of a team that plays', () => {
  const state: UnderWay = { game: '', home: 41, away: 51 }
  const site = startSite({
    between: (request, service) => playing(state)(request, service),
    freshFor: { live: 0 },
  })

  it('shows the score first, follows it for one small call, and says when it cannot', async () => {
    const game = (await gamesOfDay(site.server)).find(({ status }) => status !== 'final')
    if (!game) throw new Error('The sample day has no game to come.')
    state.game = game.gameId
    const { page } = await site.openBlank()
    await page.clock.install()
    await page.goto(`${site.server.url}/team/${game.homeTeam.teamId}/${game.season}`)
    await page.getByRole('heading', { name: 'Under way' }).waitFor()
    const score = page.locator(`.game-list a[href="/game/${game.gameId}"] .outcome`)
    await expect.poll(() => score.innerText()).toMatch(/^41–51\s+2nd Half 7:31$/)
    await expect.poll(() => site.server.calls.sent.length).toBeGreaterThan(6)
    await loaded(page)

    site.server.calls.take()
    state.home = 44
    await page.clock.fastForward(16_000)
    await score.filter({ hasText: '44–51' }).waitFor()
    expect(site.operations()).toEqual(['game/read'])

    await page.route('**/graphql', (route) => route.abort())
    await page.clock.fastForward(16_000)
    const notice = page.getByText(lost)
    await notice.waitFor()
    expect(await score.innerText()).toContain('44–51')
    expect(await allFindings(page)).toEqual([])
    await page.unroute('**/graphql')
    state.home = 47
    await page.clock.fastForward(31_000)
    await notice.waitFor({ state: 'detached' })
    await score.filter({ hasText: '47–51' }).waitFor()
    await page.close()
  })
})
