import { describe, expect, it } from 'vitest'
import { basketball, football } from '../../graph/harness.ts'
import { startServer } from '../../server.ts'
import type { Server } from '../../server.ts'
import { keep, loaded, missing, seriousFindings, visit } from '../browser.ts'
import type { Visit } from '../browser.ts'
import { startSite } from '../site.ts'

const date = '2026-02-14'

interface Day {
  readonly league: {
    readonly games: readonly {
      readonly gameId: string
      readonly status: string
      readonly season: number
      readonly homeScore: number
      readonly homeTeam: { readonly teamId: string; readonly name: string; readonly conferenceId: string }
    }[]
  }
}

/** A finished game of the day, with its home team. */
async function finished({ sample }: Server) {
  const { data } = await sample
    .graph()
    .query<Day>(
      `{ league { games(date: "${date}") { gameId status season homeScore homeTeam { teamId name conferenceId } } } }`,
    )
  const game = data.league.games.find(({ status }) => status === 'final')
  if (!game) throw new Error('The sample day has no finished game.')
  return game
}

/** Whatever a page shows, it must hold to this. */
async function expectSound({ page, faults }: Visit, name: string) {
  await keep(page, name)
  expect(await seriousFindings(page)).toEqual([])
  expect(faults).toEqual([])
  await page.close()
}

describe.skipIf(missing)(`in a real Chromium${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startSite()
  const { open } = site

  describe('the scoreboard', () => {
    it.each([
      ['light', 1200],
      ['dark', 390],
    ] as const)('shows a day’s games, %s and %i wide', async (colorScheme, width) => {
      const game = await finished(site.server)
      const shown = await open(`/games/${date}`, { colorScheme, width })
      const link = shown.page.locator(`a[href="/game/${game.gameId}"]`)
      const card = shown.page.locator('.card').filter({ has: link })
      await expect.poll(() => card.innerText()).toContain(game.homeTeam.name)
      await expect.poll(() => card.innerText()).toContain(String(game.homeScore))
      await expect.poll(() => shown.page.locator('.line').first().innerText()).toMatch(/O\/U \d/)
      expect(await shown.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await expectSound(shown, `day-${colorScheme}`)
    })

    it('offers no season that cannot have begun', async () => {
      const next = new Date().getUTCFullYear() + 1
      const { page } = await open(`/leaders/teams/points/${next}`)
      const links = page.getByRole('navigation', { name: 'Season' }).getByRole('link')
      await links.first().waitFor()
      await expect.poll(() => links.allInnerTexts()).toEqual([`← ${next - 1}`])
      await page.close()
    })

    it('leads from a roster to a player’s game log by keyboard alone', async () => {
      const { homeTeam, season } = await finished(site.server)
      const shown = await open(`/team/${homeTeam.teamId}/${season}/roster`, { colorScheme: 'dark' })
      const link = shown.page.getByRole('table', { name: 'Roster' }).getByRole('link').first()
      const name = await link.innerText()
      await link.focus()
      await shown.page.keyboard.press('Enter')
      await shown.page.getByRole('heading', { level: 1, name }).waitFor()
      const log = shown.page.getByRole('table', { name: 'Game log' })
      await log.waitFor()
      await expect.poll(() => log.locator('tbody tr').count()).toBeGreaterThan(3)
      await expectSound(shown, 'player')
    })

    it('shows a conference’s projected standings and a division’s leaders', async () => {
      const { homeTeam, season } = await finished(site.server)
      const shown = await open(`/conference/${homeTeam.conferenceId}/${season}`)
      const table = shown.page.getByRole('table', { name: 'Standings' })
      await expect.poll(() => table.innerText()).toContain(homeTeam.name)
      await shown.page.getByRole('link', { name: 'Leaders' }).click()
      await shown.page.getByRole('heading', { level: 1, name: 'Leaders' }).waitFor()
      await expectSound(shown, 'leaders')
    })

    it('leads to another league, whose pages stay within it and show its own columns', async () => {
      const { data } = await site.server.sample
        .graph({ defaults: football })
        .query<Day>(`{ league { games(date: "${date}") { gameId status season homeTeam { teamId name } } } }`)
      const game = data.league.games.find(({ status }) => status === 'final')
      if (!game) throw new Error('The sample day has no finished football game.')
      const shown = await open('/leagues')
      const { page } = shown
      const link = page.getByRole('link', { name: 'Sample College Football Division I' })
      await link.waitFor()
      await expect.poll(() => page.locator('.leagues a').count()).toBe(2)
      await link.click()
      const base = `/league/${football.organization_id}/${football.division_id}`
      await page.getByText('Sample College Football').waitFor()
      await page.goto(`${site.server.url}${base}/games/${date}`)
      await page.locator(`a[href="${base}/game/${game.gameId}"]`).click()
      const { name } = game.homeTeam
      await page.getByRole('link', { name: 'Boxscore' }).click()
      await page.getByRole('radio').last().check()
      const passing = page.getByRole('table', { name: `Passing of ${name}` })
      await expect.poll(() => passing.innerText()).toMatch(/QB\s+\d+–\d+/)
      await expect
        .poll(() => page.getByRole('table', { name: `Scoring of ${name}` }).innerText())
        .toMatch(/K\s+\d+/)
      const team = page.getByRole('table', { name: 'Team boxscores' })
      await expect.poll(() => team.innerText()).toMatch(/\d+:\d\d\s+Possession\s+\d+:\d\d/)
      await keep(page, 'football')
      await page.locator('.scoreline').getByRole('link', { name }).click()
      await page.getByRole('link', { name: 'Roster' }).click()
      await page.getByRole('table', { name: 'Roster' }).getByRole('link').first().click()
      await page.getByRole('table', { name: 'Game log' }).waitFor()
      await expect.poll(() => page.url()).toContain(`${base}/player/`)
      await expectSound(shown, 'football-leaders')
    })

    it('asks for a key, and for a league, where the graph has none of its own', async () => {
      const other = await startServer({ defaults: {}, apiKey: null })
      const shown = await visit(site.browser, `${other.url}/`)
      await shown.page.getByLabel('Your key').fill('sample-paid')
      await shown.page.keyboard.press('Enter')
      await shown.page.getByRole('heading', { name: 'Leagues' }).waitFor()
      await shown.page.getByRole('link', { name: 'Sample College Basketball Division I' }).click()
      await shown.page.getByText('Sample College Basketball').waitFor()
      expect(shown.page.url()).toContain(`${basketball.organization_id}/${basketball.division_id}`)
      await expectSound(shown, 'leagues')
      await other.close()
    })

    it('asks for a key where each client brings its own, and goes on with it', async () => {
      const other = await startServer({ apiKey: null })
      const shown = await visit(site.browser, `${other.url}/games/${date}`)
      await shown.page.getByLabel('Your key').fill('sample-paid')
      await shown.page.keyboard.press('Enter')
      await shown.page.locator('.card').first().waitFor()
      await expectSound(shown, 'key')
      await other.close()
    })

    it.each([
      ['/game/100%', 'There is no such game.'],
      ['/team/00000000-0000-4000-8000-000000000000/2026', 'There is no such team.'],
      ['/player/00000000-0000-4000-8000-000000000000/2026', 'There is no such player.'],
      ['/compare/teams/00000000-0000-4000-8000-000000000000', 'There is no such team.'],
    ])('says what is amiss at %s', async (path, words) => {
      const shown = await open(path)
      await shown.page.getByText(words).waitFor()
      expect(await shown.page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      const footer = await shown.page.getByRole('contentinfo').boundingBox()
      expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeCloseTo(900, 0)
      await expectSound(shown, 'amiss')
    })

    it('tells what the page has cost, as the service bills it', async () => {
      site.server.forget()
      const before = site.server.calls.sent.length
      const shown = await open(`/games/${date}`)
      await shown.page.locator('.card').first().waitFor()
      const bill = shown.page.getByRole('contentinfo')
      // The counts of the days around come, or are offered, after the day's own games.
      await shown.page.locator('.offer:has-text("days around"), .strip .count:not(:empty)').first().waitFor()
      const cost = () => {
        const sent = site.server.calls.sent.slice(before).map(({ bytes }) => bytes)
        const tokens = sent.reduce((sum, bytes) => sum + Math.ceil(bytes / 1024), 0)
        const kib = Math.ceil(sent.reduce((sum, bytes) => sum + bytes, 0) / 1024)
        return `cost ${tokens} tokens: ${sent.length} calls to the service, ${kib} KiB`
      }
      await expect.poll(async () => (await bill.innerText()).includes(cost())).toBe(true)
      // Each view counts more of the days around, as far as they fit its limit, until all are known.
      for (let calls = -1; calls !== site.server.calls.sent.length;) {
        calls = site.server.calls.sent.length
        await shown.page.reload()
        await shown.page.locator('.card').first().waitFor()
        await loaded(shown.page)
      }
      await expect.poll(() => bill.innerText()).toContain('cost 0 tokens: 0 calls')
      await expectSound(shown, 'bill')
    })

    it('tells a failure of the service kindly, where it happened, and recovers', async () => {
      site.server.forget()
      site.server.down.add('boxscore/readBoxscore').add('boxscore/getBoxscore')
      const game = await finished(site.server)
      const shown = await open(`/game/${game.gameId}/boxscore`)
      const alert = shown.page.getByRole('alert')
      await alert.waitFor()
      await expect.poll(() => alert.innerText()).toContain('The statistics service does not answer just now.')
      await shown.page.getByRole('table', { name: /^Players of/ }).waitFor()
      await keep(shown.page, 'failure')
      site.server.down.clear()
      await alert.getByRole('button', { name: 'Try again' }).click()
      await shown.page.getByRole('table', { name: 'Team boxscores' }).waitFor()
      await expectSound(shown, 'recovered')
    })
  })
})
