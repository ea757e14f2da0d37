import { beforeAll, describe, expect, it } from 'vitest'
import { football } from '../graph/harness.ts'
import { loaded, missing } from './browser.ts'
import { finishedGame } from './sample-day.ts'
import type { SampleGame } from './sample-day.ts'
import { expectSound } from './sound.ts'
import { startSite } from './site.ts'

let game: SampleGame

describe.skipIf(missing)(`the pages of statistics${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startSite()
  const { open } = site
  beforeAll(async () => {
    game = await finishedGame(site.server)
  })

  /** How often each operation was called since. */
  function operations(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const operation of site.operations()) counts[operation] = (counts[operation] ?? 0) + 1
    return counts
  }

  it('shows a team’s season at a glance, and its tabs for what they add', async () => {
    const { homeTeam, season } = game
    const shown = await open(`/team/${homeTeam.teamId}/${season}`)
    const { page } = shown
    const tab = (name: string) => page.getByRole('navigation', { name: 'Team' }).getByRole('link', { name })
    await page.getByRole('heading', { name: 'Last games' }).waitFor()
    const facts = await page.locator('.team-head').innerText()
    expect(facts).toMatch(/Record\s+\d+–\d+ \(\d+–\d+ conf\.\)/)
    expect(facts).toMatch(/Against the spread\s+\d+–\d+/)
    expect(facts).toMatch(/Over–under\s+\d+–\d+/)
    const against = page.getByRole('table', { name: /Record against the closing line/ })
    await expect
      .poll(() => against.getByRole('rowheader').allInnerTexts())
      .toEqual(['All games', 'At home', 'Away'])
    await loaded(page)
    expect(operations()).toEqual({
      'team/read': 2,
      'team/getStats': 1,
      'game/read': 2,
      'game/getScores': 2,
    })
    await expectSound(shown, 'team-overview')

    await tab('Schedule').click()
    const schedule = page.getByRole('table', { name: 'Games of the season' })
    await schedule.waitFor()
    await expect.poll(() => schedule.locator('tbody tr').count()).toBeGreaterThan(15)
    await expect.poll(() => schedule.innerText()).toMatch(/[WL] \d+–\d+\s+[+−]?[\d.]+\s+(won|lost|push)/)
    await loaded(page)
    expect(operations()).toEqual({ 'team/read': 1 })
    await page.getByRole('radio', { name: 'Calendar' }).check({ force: true })
    const february = page.getByRole('table', { name: 'February 2026' })
    await expect.poll(() => february.getByRole('columnheader').count()).toBe(7)
    await february.getByRole('link', { name: new RegExp(game.awayTeam.name) }).waitFor()
    await loaded(page)
    expect(operations()).toEqual({})
    await expectSound(shown, 'team-calendar')

    await tab('Statistics').click()
    await page.getByRole('img', { name: 'Elo rating after each game' }).waitFor()
    const slider = page.getByRole('slider', { name: 'Game' })
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain(`vs ${game.awayTeam.name}`)
    await loaded(page)
    expect(operations()).toEqual({ 'elo/read': 2 })
    await expectSound(shown, 'team-statistics')

    await tab('Roster').click()
    await page.getByRole('table', { name: 'Roster' }).waitFor()
    const offer = page.getByRole('button', { name: /Show for/ })
    await offer.click()
    const numbers = page.getByRole('table', { name: 'Statistics of the players' })
    await numbers.waitFor()
    await loaded(page)
    expect(operations()).toEqual({
      'team/getPlayers': 1,
      'player_statistic_ranking/getStats': homeTeam.roster.length,
    })
    await expectSound(shown, 'team-roster')
    await page.close()
  })

  it('shows a player’s games newest first, each linked, and the career when it is asked for', async () => {
    const { homeTeam, season } = game
    const shown = await open(`/player/${homeTeam.roster[0]?.playerId}/${season}`, { colorScheme: 'dark' })
    const { page } = shown
    const log = page.getByRole('table', { name: 'Game log' })
    await log.waitFor()
    const days = await log.locator('tbody tr > :nth-child(2)').allInnerTexts()
    expect(days.length).toBeGreaterThan(3)
    expect(days[0]).toBe('Feb 14')
    await log.locator(`a[href="/game/${game.gameId}"]`).waitFor()
    await loaded(page)
    expect(operations()).toEqual({
      'player/read': 1,
      'player/getSeasons': 1,
      'player/getGameLogs': 1,
      'player_statistic_ranking/getStats': 1,
    })
    await expectSound(shown, 'player-page')
    const button = page.getByRole('button', { name: /Show the career/ })
    await button.focus()
    await page.keyboard.press('Enter')
    const career = page.getByRole('table', { name: 'Career' })
    await career.getByRole('rowheader', { name: 'Career' }).waitFor()
    await expect.poll(() => career.innerText()).toMatch(/2025[^\d]+\d+\s+[\d.]+/)
    await loaded(page)
    expect(Object.keys(operations())).toEqual(['player_statistic_ranking/getStats'])
    await page.close()
  })

  it('asks before it downloads a division, and then sorts it by anything for nothing', async () => {
    const shown = await open('/leaders/teams')
    const { page } = shown
    const offer = page.getByRole('button', { name: /Show for \d/ })
    await offer.waitFor()
    await page.getByText('An average team of the season').waitFor()
    await loaded(page)
    const { 'ranking/download': downloads = 0, ...rest } = operations()
    expect(downloads).toBe(0)
    // The conferences tell how large the division is, by which its download is priced.
    const calls = ['conference/read', 'elo/get', 'league_statistic_ranking/getStats']
    expect(Object.keys(rest).toSorted()).toEqual(calls)
    await offer.click()
    const points = page.getByRole('table', { name: /Points a game: the best 25 of/ })
    await points.waitFor()
    await loaded(page)
    expect(operations()).toEqual({ 'ranking/download': 1, 'team/read': 1 })
    await expectSound(shown, 'leaders-teams')
    await points.getByRole('button', { name: 'Turnovers a game' }).click()
    const turnovers = page.getByRole('table', { name: /Turnovers a game: the best 25 of/ })
    await turnovers.waitFor()
    const heading = turnovers.getByRole('columnheader', { name: 'Turnovers a game' })
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
    await expect.poll(() => page.url()).toContain('/leaders/teams/turnovers')
    await loaded(page)
    expect(Object.keys(operations())).not.toContain('ranking/download')
    await page.close()
  })

  it('shows football’s player leaders for their price, and says what a league does not count', async () => {
    const base = `/league/${football.organization_id}/${football.division_id}`
    const { page } = await open(`${base}/leaders/players`, { width: 390 })
    await page.getByRole('button', { name: /Show for/ }).click()
    const leaders = page.getByRole('table', { name: /Passing yards: the best 25 of/ })
    await leaders.waitFor()
    // A phone shows the name, the rank and what they are ranked by; nothing of basketball is among it.
    const heads = await leaders.getByRole('columnheader').allInnerTexts()
    expect(heads.slice(0, 2)).toEqual(['Name', 'Rank'])
    expect(heads[2]).toContain('Passing yards')
    expect(heads.join(' ')).not.toContain('Field goal')
    await page.goto(`${site.server.url}${base}/leaders/players/points_per_game`)
    await page.getByText('This league does not count that.').waitFor()
    await page.close()
  })

  it('compares two teams that are found by name, with the keyboard alone', async () => {
    const shown = await open('/compare/teams', { width: 820 })
    const { page } = shown
    await page.getByLabel('First team').fill(game.homeTeam.name)
    await page
      .getByRole('list', { name: /Results for/ })
      .getByRole('link', { name: game.homeTeam.name })
      .waitFor()
    await loaded(page)
    expect(operations()).toEqual({ 'search/search': 1, 'team/read': 1 })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByLabel('Second team').fill(game.awayTeam.name)
    const second = page
      .getByRole('list', { name: /Results for/ })
      .getByRole('link', { name: game.awayTeam.name })
    await second.focus()
    await page.keyboard.press('Enter')
    const table = page.getByRole('table', { name: /with ranks in the division/ })
    await table.getByRole('link', { name: game.awayTeam.name }).waitFor()
    await expect.poll(() => table.innerText()).toContain(game.homeTeam.name)
    await expect
      .poll(() => page.url())
      .toContain(`/compare/teams/${game.homeTeam.teamId}/${game.awayTeam.teamId}`)
    await expectSound(shown, 'compare-teams')
    await page.close()
  })

  it('compares two players of a season for four calls', async () => {
    const [first, second] = [game.homeTeam.roster[0], game.awayTeam.roster[0]]
    const shown = await open(`/compare/players/${first?.playerId}/${second?.playerId}/${game.season}`)
    const table = shown.page.getByRole('table', { name: /with ranks in the division/ })
    await table
      .getByRole('link', { name: second?.lastName ?? '' })
      .first()
      .waitFor()
    await loaded(shown.page)
    expect(operations()).toEqual({
      'player/read': 1,
      'team/read': 1,
      'player_statistic_ranking/getStats': 2,
    })
    await expectSound(shown, 'compare-players')
    await shown.page.close()
  })
})
