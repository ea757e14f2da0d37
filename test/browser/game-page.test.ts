import { beforeAll, describe, expect, it } from 'vitest'
import { keep, loaded, missing } from './browser.ts'
import { finishedGame, gamesOfDay } from './sample-day.ts'
import type { SampleGame } from './sample-day.ts'
import { expectSound } from './sound.ts'
import { playing } from './under-way.ts'
import type { UnderWay } from './under-way.ts'
import { startSite } from './site.ts'

let game: SampleGame

interface PastSide {
  readonly name: string
  readonly stats: { readonly wins: { readonly value: number }; readonly losses: { readonly value: number } }
}

interface PastGame {
  readonly gameId: string
  readonly homeTeam: PastSide
  readonly awayTeam: PastSide
}

describe.skipIf(missing)(`the page of a game${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startSite()
  const { open, operations } = site
  beforeAll(async () => {
    game = await finishedGame(site.server)
  })

  it('sums a game up for six calls: records, the line’s phases, the result against it', async () => {
    const shown = await open(`/game/${game.gameId}`)
    const { page } = shown
    const lines = page.getByRole('table', { name: 'Betting lines' })
    await lines.waitFor()
    await expect
      .poll(() => lines.getByRole('rowheader').allInnerTexts())
      .toEqual([
        expect.stringContaining('Opening'),
        expect.stringContaining('Closing'),
        expect.stringContaining('Last live'),
      ])
    await loaded(page)
    const main = await page.getByRole('main').innerText()
    expect(main).toContain('Prediction before the game')
    expect(main).toContain('Closing money lines')
    expect(main).toMatch(/(beat the spread by|exactly the spread)/)
    expect(main).toMatch(/\d+–\d+ \(\d+–\d+ conf\.\)/)
    await loaded(page)
    expect(operations()).toEqual([
      'game/getScores',
      'game/read',
      'odds/read',
      'team/getStats',
      'team/getStats',
      'team/read',
    ])
    await expectSound(shown, 'game-summary')
    await page.close()
  })

  it('says on the whole page that there is no such game', async () => {
    const { page } = await open('/game/nope')
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain('Today’s games')
    await page.close()
  })

  it('reads the chart’s moments one by one with the arrow keys', async () => {
    const { page } = await open(`/game/${game.gameId}`)
    const slider = page.getByRole('slider', { name: 'Moment of the line' })
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain('before the game')
    const first = await slider.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toBe(first)
    await page.keyboard.press('End')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain(', live:')
    await expect
      .poll(() => page.locator('.readout').innerText())
      .toBe(await slider.getAttribute('aria-valuetext'))
    await page.close()
  })

  it('pays for a tab when it is shown, keeps the focus on it, and goes back', async () => {
    const shown = await open(`/game/${game.gameId}`)
    const { page } = shown
    const tab = (name: string) => page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name })
    await page.getByRole('table', { name: 'Betting lines' }).waitFor()
    await loaded(page)
    operations()
    await tab('Matchup').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: /The season up to this game/ }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Matchup')
    await tab('Odds').click()
    await page.getByRole('table', { name: 'Every movement of the line' }).waitFor()
    await loaded(page)
    expect(operations()).toEqual([])
    await tab('Form').click()
    await page.getByRole('heading', { name: 'Earlier meetings in this season' }).waitFor()
    await loaded(page)
    expect(operations()).toEqual(['game/read', 'game/read', 'game/read', 'game/read', 'team/read'])
    await expectSound(shown, 'game-form')
    await page.goBack()
    await page.getByRole('table', { name: 'Every movement of the line' }).waitFor()
    await loaded(page)
    expect(operations()).toEqual([])
    await page.close()
  })

  it('shows a past game as of its day: both records with it, and no game after it', async () => {
    const day = '2026-01-10'
    const side = '{ name stats(date: $day) { wins { value } losses { value } } }'
    const { data } = await site.server.sample.graph().query<{
      league: { games: readonly PastGame[] }
    }>(`query ($day: Date!) { league { games(date: $day) { gameId homeTeam ${side} awayTeam ${side} } } }`, {
      variables: { day },
    })
    const [past] = data.league.games
    const { page } = await open(`/game/${past?.gameId}`)
    await page.locator('.contender small').first().waitFor()
    await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'Form' }).click()
    await page.getByRole('heading', { name: 'Earlier meetings in this season' }).waitFor()
    await page.locator('.game-list').first().waitFor()
    await loaded(page)
    const records = await page.locator('.contender small').allInnerTexts()
    for (const [index, team] of [past?.awayTeam, past?.homeTeam].entries())
      expect(records[index]).toMatch(`${team?.stats.wins.value}–${team?.stats.losses.value}`)
    const links = await page.locator('.game-list a').all()
    const ids = await Promise.all(
      links.map(async (link) => (await link.getAttribute('href'))?.split('/').pop()),
    )
    expect(ids).toHaveLength(10)
    const before = await site.server.sample
      .graph()
      .query<{ games: readonly { startDate: string }[] }>(
        `{ games(ids: ${JSON.stringify(ids)}) { startDate } }`,
      )
    expect(before.data.games.filter(({ startDate }) => startDate >= day)).toEqual([])
    const called = operations()
    expect(called.filter((name) => name === 'statistic_ranking/getStats')).toHaveLength(2)
    expect(called).not.toContain('team/getStats')
    await page.close()
  })

  it('pays for the head of the game alone below a boxscore or a form that is opened by its address', async () => {
    const { page } = await open(`/game/${game.gameId}/form`)
    await page
      .getByText(/^\d+–\d+ before this game, /)
      .first()
      .waitFor()
    await loaded(page)
    expect(operations()).toEqual([...Array.from({ length: 5 }, () => 'game/read'), 'team/read', 'team/read'])
    await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'Boxscore' }).click()
    await page.getByRole('table', { name: 'Team boxscores' }).waitFor()
    await loaded(page)
    expect(operations()).toEqual(['boxscore/readBoxscore', 'player_boxscore/read'])
    await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'Summary' }).click()
    await page.getByRole('table', { name: 'Betting lines' }).waitFor()
    await loaded(page)
    expect(operations()).toEqual(['game/getScores', 'odds/read', 'team/getStats', 'team/getStats'])
    await page.close()
  })

  it('shows one team’s players at a time, and sorts them by any column', async () => {
    const shown = await open(`/game/${game.gameId}/boxscore`, { colorScheme: 'dark' })
    const { page } = shown
    const away = page.getByRole('table', { name: `Players of ${game.awayTeam.name}` })
    await away.waitFor()
    const team = page.getByRole('table', { name: 'Team boxscores' })
    await expect
      .poll(() => team.getByRole('row', { name: 'Points' }).innerText())
      .toMatch(new RegExp(`${game.awayScore}\\s+Points\\s+${game.homeScore}`))
    await loaded(page)
    expect(operations()).toContain('player_boxscore/read')
    const rebounds = away.getByRole('button', { name: 'Rebounds' })
    await rebounds.focus()
    await page.keyboard.press('Enter')
    const heading = away.getByRole('columnheader', { name: 'Rebounds' })
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending')
    const at = await heading.evaluate((cell) => (cell as unknown as { cellIndex: number }).cellIndex) // a th
    const column = async () =>
      (await away.locator(`tbody tr > :nth-child(${at + 1})`).allInnerTexts()).map(Number)
    expect(await column()).toEqual((await column()).toSorted((a, b) => b - a))
    await page.keyboard.press('Enter')
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
    expect(await column()).toEqual((await column()).toSorted((a, b) => a - b))

    await page.getByRole('radio', { name: game.awayTeam.char6 }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('table', { name: `Players of ${game.homeTeam.name}` }).waitFor()
    await loaded(page)
    expect(operations()).toEqual(['player_boxscore/read'])
    await expectSound(shown, 'game-boxscore')
    await page.close()
  })
})

describe.skipIf(missing)('the page of a game under way', () => {
  const state: UnderWay = { game: '', home: 41, away: 51 }
  const site = startSite({
    between: (request, service) => playing(state)(request, service),
    freshFor: { live: 0 },
  })
  beforeAll(async () => {
    const found = (await gamesOfDay(site.server)).find(({ status }) => status !== 'final')
    if (!found) throw new Error('The sample day has no game to come.')
    state.game = found.gameId
    game = found
  })

  it('says what is of now and what is of before, and tells a new score', async () => {
    const shown = await site.openBlank()
    const { page, faults } = shown
    await page.clock.install()
    await page.goto(`${site.server.url}/game/${game.gameId}`)
    const lines = page.getByRole('table', { name: 'Betting lines' })
    await lines.waitFor()
    const rows = () => lines.getByRole('row').allInnerTexts()
    await expect.poll(rows).toContainEqual(expect.stringMatching(/^Live[\s\S]*\+13/))
    await expect.poll(rows).toContainEqual(expect.stringMatching(/^Closing/))
    await expect
      .poll(() => page.locator('.split-label').allInnerTexts())
      .toEqual(['Live money lines', 'Closing money lines', 'Prediction before the game'])
    await expect.poll(() => page.locator('.split-sides').first().innerText()).toMatch(/9\d%[\s\S]*\d%/)
    const told = page.getByRole('status').filter({ hasText: '2nd Half' })
    const { homeTeam, awayTeam } = game
    await expect
      .poll(() => told.innerText())
      .toContain(`${awayTeam.char6} 51, ${homeTeam.char6} 41, 2nd Half 7:31`)
    await loaded(page)

    site.server.calls.take()
    state.home = 44
    await page.clock.fastForward(16_000)
    await page.getByText(`${homeTeam.char6} 44, 2nd Half`).waitFor()
    expect(site.operations()).toEqual(['game/read'])

    await keep(page, 'game-live')
    await page.route('**/graphql', (route) => route.abort())
    await page.clock.fastForward(16_000)
    const lost = page.getByText('The connection was lost; trying again.')
    await lost.waitFor()
    expect(await page.locator('.points.home').innerText()).toBe('44')
    await page.unroute('**/graphql')
    state.home = 47
    await page.clock.fastForward(31_000)
    await lost.waitFor({ state: 'detached' })
    await page.getByText(`${homeTeam.char6} 47, 2nd Half`).waitFor()
    const ours = faults.filter((fault) => !fault.startsWith('asked ') && !fault.includes('net::ERR_FAILED'))
    expect(ours).toEqual([])
    await page.close()
  })
})
