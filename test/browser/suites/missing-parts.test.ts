import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { allSuites } from '../../all-suites.ts'
import { football } from '../../graph/harness.ts'
import { allFindings, loaded, missing } from '../browser.ts'
import { date, finishedGame, pagesOf } from '../sample-day.ts'
import { startSite } from '../site.ts'

let pages: readonly (readonly [name: string, path: string, part: string])[]

const queries = '**/graphql'
/** One page of each way to ask: at once, within a tab, and after a price. */
const slowPages = new Set(['games', 'game-boxscore', 'team-roster', 'standings', 'leaders', 'compare-teams'])
/**
 * Of the pages those with which a test is done in CI: every second one, from the first or the second. Another failure, by
 * the same parts of a page, is tried with the others. Before a release all.
 */
const everySecond = <T>(all: readonly T[], first: 0 | 1) =>
  allSuites ? all : all.filter((_, nth) => nth % 2 === first)

/** What of football is not tried as of basketball: its own statistics. The rest of its pages before a release. */
const ofFootball = /matchup|compare|statistics/

const retry = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Try again/ })

/** Opens a page of which something cannot be had, without the network's errors among its faults. */
const openerOf =
  (site: ReturnType<typeof startSite>) =>
  async (path: string, spoil: (page: Page) => Promise<unknown>): Promise<Page> => {
    const { page } = await site.openBlank()
    await spoil(page)
    await page.goto(`${site.server.url}${path}`)
    return page
  }

/** Presses every button that tries again until the page shows its part. */
async function recovers(page: Page, part: string, name: string): Promise<void> {
  const isThere = async () => (await page.locator(part).count()) > 0 && (await retry(page).count()) === 0
  const tryAgain = async () => {
    const [button] = await retry(page).all()
    await button?.click({ timeout: 2_000 }).catch(() => {}) // it may be gone already
    return isThere()
  }
  await expect.poll(tryAgain, { message: `${name} recovers` }).toBe(true)
}

describe.skipIf(missing)(
  `a page of which a part is missing${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    const site = startSite()
    const openWith = openerOf(site)
    beforeAll(async () => {
      const all = Object.entries(await pagesOf(site.server)).map(
        ([name, [path, part]]) => [name, path, part] as const,
      )
      pages = all.filter(([name]) => name !== 'nothing')
    })

    it('says that no answer came, and loads when asked again', async () => {
      for (const [name, path, part] of everySecond(pages, 0)) {
        const page = await openWith(path, (one) => one.route(queries, (route) => route.abort()))
        await page.getByRole('alert').filter({ hasText: 'could not be reached' }).first().waitFor()
        expect(await page.locator(part).count(), name).toBe(0)
        await page.unroute(queries)
        await recovers(page, part, name)
        await page.close()
      }
    })

    it('says that it takes long, then that no answer came, and loads when asked again', async () => {
      for (const [name, path, part] of pages.filter(([one]) => slowPages.has(one))) {
        const page = await openWith(path, async (one) => {
          await one.clock.install()
          await one.route(queries, () => {}) // never answered
        })
        await page.locator('.loading').first().waitFor()
        await page.clock.fastForward(9_000)
        await page.locator('.loading').filter({ hasText: 'takes longer than usual' }).first().waitFor()
        const failed = page.getByRole('alert').filter({ hasText: 'could not be reached' })
        const pass = async () => {
          await page.clock.fastForward(35_000)
          return failed.count()
        }
        await expect.poll(pass, { message: name }).toBeGreaterThan(0)
        await page.unroute(queries)
        await recovers(page, part, name)
        await page.close()
      }
    })

    it('says why nothing of a query was answered', async () => {
      const body = JSON.stringify({
        data: null,
        errors: [{ message: 'The budget is spent.', extensions: { code: 'BUDGET_EXCEEDED' } }],
      })
      for (const [name, path, part] of everySecond(pages, 1)) {
        const page = await openWith(path, (one) =>
          one.route(queries, (route) =>
            route.fulfill({ status: 200, contentType: 'application/graphql-response+json', body }),
          ),
        )
        await page.getByRole('alert').filter({ hasText: 'This month’s tokens are spent.' }).first().waitFor()
        await loaded(page)
        expect(await page.locator(part).count(), name).toBe(0)
        expect(await allFindings(page), name).toEqual([])
        await page.unroute(queries)
        await recovers(page, part, name)
        await page.close()
      }
    })

    it.each([
      ['basketball', undefined],
      ['football', football],
    ])('names what the service did not answer, and claims nothing of it: %s', async (_sport, league) => {
      const { gameId, season, homeTeam, awayTeam, playerId } = await finishedGame(site.server, league)
      const base = league ? `/league/${league.organization_id}/${league.division_id}` : ''
      const pair = `${homeTeam.teamId}/${awayTeam.teamId}/${season}`
      const other = awayTeam.roster[0]?.playerId
      const failures = [
        ['team/getStats', `/game/${gameId}/matchup`, /Neither team has played/],
        ['team/getStats', `/compare/teams/${pair}`, /Neither team has played/],
        [
          'player_statistic_ranking/getStats',
          `/compare/players/${playerId}/${other}/${season}`,
          /Neither has played/,
        ],
        ['odds/read', `/game/${gameId}/odds`, /No line was offered/],
        ['odds/read', `/game/${gameId}`, /No line was offered/],
        ['game/read', `/game/${gameId}/form`, /have not met|No games yet/],
        ['elo/read', `/team/${homeTeam.teamId}/${season}/statistics`, /No ratings/],
        ['elo/read', `/compare/teams/${pair}`, /No ratings/],
        ['team/getStats', `/team/${homeTeam.teamId}/${season}`, /No statistics/],
        ['player/getGameLogs', `/player/${playerId}/${season}`, /No games/],
        ['team/getPlayers', `/team/${homeTeam.teamId}/${season}/roster`, /No roster/],
        ['game/getScores', `/games/${date}`, /No games/],
      ] as const
      const tried = league && !allSuites ? failures.filter(([, path]) => ofFootball.test(path)) : failures
      for (const [operation, path, claim] of tried) {
        const at = `${path} without ${operation}`
        site.server.forget()
        site.server.down.add(operation)
        const page = await openWith(`${base}${path}`, async () => {})
        const alert = page.getByRole('alert').filter({ hasText: 'does not answer just now' })
        await alert
          .first()
          .waitFor()
          .catch(async () => expect.fail(`${at}: ${await page.locator('body').innerText()}`))
        await loaded(page)
        expect(await page.getByRole('main').innerText(), at).not.toMatch(claim)
        expect(await allFindings(page), at).toEqual([])
        site.server.down.clear()
        await recovers(page, 'main', at)
        await page.close()
      }
    })
  },
)

describe.skipIf(missing)('a page whose script does not come', () => {
  const site = startSite()
  const openWith = openerOf(site)

  it('says so, and loads when asked again', async () => {
    const all = Object.entries(await pagesOf(site.server))
    let isBack = false
    const own = /\/assets\/(games|week|game|team|player|standings|leaders|compare|leagues)-[^/]*\.js$/
    const names = 'games week game team player standings leaders compare-teams leagues'.split(' ')
    for (const name of names) {
      const [path, part] = all.find(([one]) => one === name)?.[1] ?? ['', '']
      const failing = await openWith(path, (page) => page.route(own, (route) => route.abort()))
      await failing.getByRole('heading', { name: 'This page failed' }).waitFor()
      await failing.unroute(own)
      await retry(failing).click()
      await failing.locator(part).first().waitFor()
      await failing.close()

      // One way of loading scripts serves all pages.
      if (!everySecond(names, 0).includes(name)) continue
      isBack = false
      const slow = await openWith(path, async (page) => {
        await page.clock.install()
        await page.route(own, (route) => (isBack ? route.continue() : undefined)) // else never answered
      })
      await slow.getByText('Loading the page…').waitFor()
      await slow.clock.fastForward(9_000)
      await slow.getByText('takes longer than usual').waitFor()
      isBack = true
      await retry(slow).click()
      await slow.locator(part).first().waitFor()
      await slow.close()
    }
  })

  it('says after a while that it is the first script that is missing', async () => {
    const first = /\/assets\/index-[^/]*\.js$/
    const page = await openWith('/leagues', (one) => one.route(first, (route) => route.abort()))
    const words = page.getByText('takes longer than usual to load')
    await words.waitFor()
    await page.unroute(first)
    await words.getByRole('link', { name: 'Try again' }).click()
    await page.locator('.leagues a').first().waitFor()
  })
})
