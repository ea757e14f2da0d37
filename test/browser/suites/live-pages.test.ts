import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakedTimers, startLivingDay } from '../../client/living.ts'
import type { LivingDay } from '../../client/living.ts'
import { startServer } from '../../server.ts'
import type { Server } from '../../server.ts'
import { allFindings, isStream, launch, missing, visit } from '../browser.ts'
import { gamesOfDay } from '../sample-day.ts'
import { playing } from '../under-way.ts'
import type { UnderWay } from '../under-way.ts'

let browser: Browser
const lost = 'The connection was lost; trying again.'

describe.skipIf(missing)(`a week on the scoreboard${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let day: LivingDay
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

  it('follows the game under way for what its changes cost, and says when it cannot', async () => {
    day.score(150)
    const { page } = await visit(browser, 'about:blank')
    const opened = page.waitForResponse(isStream)
    await page.goto(new URL(`/week/${day.date}`, day.url).href)
    const link = page.locator(`a[href="/game/${day.live}"]`)
    const card = page.locator('.card').filter({ has: link })
    await card.filter({ hasText: '150' }).waitFor()
    await opened
    await page.locator('.offer').waitFor()
    expect(
      day.calls
        .take()
        .map((call) => call.split(' ')[0])
        .toSorted(),
    ).toEqual(['conference/read', 'game/getGames', 'game/getScores', 'organization/read'])

    day.score(188)
    await day.pass(16_000)
    await card.filter({ hasText: '188' }).waitFor()
    expect(
      day.calls
        .take()
        .map((call) => call.split(' ')[0])
        .toSorted(),
    ).toEqual(['game/read', 'odds/read'])

    await page.route('**/graphql', (route) => route.abort())
    day.drop()
    const notice = page.getByRole('status').filter({ hasText: lost })
    await notice.waitFor()
    await expect.poll(() => notice.innerText()).toMatch(/As of \d+:\d\d/)
    expect(await card.innerText()).toContain('188')
    expect(await allFindings(page)).toEqual([])
    await page.unroute('**/graphql')
    await notice.waitFor({ state: 'detached' })
    await page.close()
  })
})

describe.skipIf(missing)('the page of a team that plays', () => {
  const state: UnderWay = { game: '', home: 41, away: 51 }
  let server: Server
  beforeAll(async () => {
    server = await startServer({
      between: (request, service) => playing(state)(request, service),
      freshFor: { live: 0 },
    })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  it('shows the score first, follows it for one small call, and says when it cannot', async () => {
    const game = (await gamesOfDay(server)).find(({ status }) => status !== 'final')
    if (!game) throw new Error('The sample day has no game to come.')
    state.game = game.gameId
    const { page } = await visit(browser, 'about:blank')
    await page.clock.install()
    await page.goto(`${server.url}/team/${game.homeTeam.teamId}/${game.season}`)
    await page.getByRole('heading', { name: 'Under way' }).waitFor()
    const score = page.locator(`.game-list a[href="/game/${game.gameId}"] .outcome`)
    await expect.poll(() => score.innerText()).toMatch(/^41–51\s+2nd Half 7:31$/)
    await expect.poll(() => server.calls.sent.length).toBeGreaterThan(6)

    server.calls.take()
    state.home = 44
    await page.clock.fastForward(16_000)
    await score.filter({ hasText: '44–51' }).waitFor()
    expect(server.calls.take().map((call) => call.split(' ')[0])).toEqual(['game/read'])

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
