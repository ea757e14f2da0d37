import { describe, expect, it } from 'vitest'
import { startServer } from '../../server.ts'
import { missing, seriousFindings } from '../browser.ts'
import {
  line,
  told,
  calls,
  rest,
  result,
  execute,
  isStream,
  openTab,
  type,
  billed,
  tokensIn,
  expectSound,
  isWhole,
  areDrawn,
  startGraphiQL,
} from '../graphiql-page.ts'
import type { Drawn } from '../graphiql-page.ts'

describe.skipIf(missing)(`GraphiQL in a real Chromium${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startGraphiQL()
  const { open } = site

  it('opens on tabs that all fit and answer, and that name no day and no season', async () => {
    const shown = await open()
    const { page } = shown
    const { calls } = site.server
    calls.take()
    const before = calls.sent.length
    const tabs = page.locator('.graphiql-tab')
    await tabs.first().waitFor()
    const names = (await tabs.allInnerTexts()).map((name) => name.trim())
    expect(names).toEqual(['Day', 'Teams', 'Ratings', 'Leaders', 'Find', 'Live', 'Leagues'])
    for (const name of names) {
      await openTab(page, name)
      await told(page, 'Next run', /about/)
      const heights = await page
        .locator('.graphiql-query-editor .CodeMirror-line')
        .evaluateAll((lines: Drawn[]) => lines.map((drawn) => drawn.getBoundingClientRect().height))
      expect(Math.max(...heights), name).toBeLessThan(1.5 * Math.min(...heights))
      const text = (await page.locator('.graphiql-query-editor .CodeMirror-line').allInnerTexts()).join('\n')
      expect(text, name).toContain(name)
      expect(text, name).not.toMatch(/\d{4}|\b(date|season)\b/)
      await execute(page)
      await result(page).filter({ hasText: '"data"' }).waitFor()
      expect(await result(page).innerText(), name).not.toContain('"errors"')
    }
    const days = calls.sent.slice(before).flatMap((sent) => sent.arguments['start_date'] ?? [])
    expect(new Set(days)).toEqual(new Set(['2026-02-14']))
    const bill = new Set(calls.take().map((call) => call.split(' ')[0]))
    expect([...bill]).toEqual(
      expect.arrayContaining(['game/getGames', 'game/getScores', 'elo/read', 'search/search']),
    )
    expect(shown.faults).toEqual([])
    await page.close()
  })

  it('ends a subscription whose tab is left for a new one', async () => {
    const shown = await open()
    const { page } = shown
    await openTab(page, 'Live')
    await execute(page)
    await told(page, 'Live', /14 events/)
    const ended = page.waitForEvent('requestfailed', isStream)
    await page.getByRole('button', { name: 'New tab' }).click()
    await ended
    await told(page, 'Next run', /There is no query yet/)
    expect(await line(page, 'Stopped').count()).toBe(0)
    await openTab(page, 'Live')
    await told(page, 'Stopped', /14 events since/)
    expect(shown.faults).toEqual([])
    await page.close()
  })

  it('shows each tab the answer and the bill that are its own', async () => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    site.stand(async (request, service) => {
      if (request.operation.function === 'getScores') await held
      return service(request)
    })
    const shown = await open()
    const { page } = shown
    await execute(page)
    await told(page, 'Running', /…/)
    await openTab(page, 'Ratings')
    await told(page, 'Next run', /about/)
    answer()
    await told(page, '2026-02', /[1-9]\d* tokens spent/)
    await expect.poll(() => page.locator('.bill dt').allInnerTexts()).toEqual(['Next run', '2026-02'])
    expect(await result(page).innerText()).not.toContain('data')
    await openTab(page, 'Day')
    await told(page, 'Last run', /2 calls/)
    expect(site.server.calls.take()).toEqual(['game/getGames 1', 'game/getScores 1'])
    expect(shown.faults).toEqual([])
    await page.close()
  })

  it('shows the bill of the last of two runs, also if the first is answered last', async () => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    site.stand(async (request, service) => {
      if (request.operation.function === 'search') await held
      return service(request)
    })
    const shown = await open()
    const { page } = shown
    await type(page, 'Query', '{ league { search(name: "ma") { teams { name } } } }')
    await page.keyboard.press('Control+Enter')
    await told(page, 'Running', /…/)
    await type(page, 'Query', '{ league { elo(season: 2026) { elo } } }')
    await page.keyboard.press('Control+Enter')
    await told(page, 'Last run', /1 call/)
    answer()
    await told(page, '2026-02', /[1-9]\d* tokens spent/)
    await page.waitForTimeout(500)
    expect(await billed(page)).toEqual(['elo/read 1'])
    await expect.poll(() => result(page).innerText()).toContain('"elo"')
    expect(shown.faults).toEqual([])
    await page.close()
  })

  it('shows what is left of a budget, and what is more than that', async () => {
    const poor = await startServer({ budget: 50 })
    const shown = await open({}, poor)
    const { page } = shown
    await told(page, '2026-02', /0 tokens spent, 50 of 50 left/)
    await openTab(page, 'Teams')
    await told(page, 'Next run', /about [\d,]+ tokens .* more than is left of the month/)
    await execute(page)
    await result(page).filter({ hasText: 'BUDGET_EXCEEDED' }).waitFor()
    await told(page, 'Last run', /tokens/)
    const spent = tokensIn(await line(page, 'Last run').innerText())
    await told(page, '2026-02', new RegExp(`${spent} tokens spent, ${50 - spent} of 50 left`))
    expect(await billed(page)).toEqual(poor.calls.take())
    await expectSound(shown, 'budget')
    await poor.close()
  })

  it('tells which calls were not answered', async () => {
    site.server.down.add('game/getScores')
    const shown = await open({ colorScheme: 'dark' })
    const { page } = shown
    await execute(page)
    await result(page).filter({ hasText: 'UPSTREAM_UNAVAILABLE' }).waitFor()
    await calls(page)
      .getByRole('row', { name: /getScores .* no answer 0/ })
      .first()
      .waitFor()
    await calls(page)
      .getByRole('row', { name: /getGames .* KiB/ })
      .waitFor()
    site.server.down.clear()
    await expectSound(shown, 'unanswered')
  })

  it('takes the key that each client brings from a preset, and carries it from tab to tab', async () => {
    const keyed = await startServer({ apiKey: null })
    const shown = await open({}, keyed)
    const { page } = shown
    await told(page, 'Next run', /no price\. There is no API key/)
    await page.getByRole('combobox', { name: /Headers/ }).selectOption('Sample league, paid')
    await told(page, 'Next run', /about/)
    await page.getByText('"sample-paid"').waitFor()
    await openTab(page, 'Ratings')
    await told(page, 'Next run', /about/)
    await execute(page)
    await told(page, 'Last run', /2 calls/)
    expect(keyed.calls.sent.map(({ apiKey }) => apiKey)).toEqual(['sample-paid', 'sample-paid'])
    await expectSound(shown, 'keyed')
    await keyed.close()
  })

  it.each([
    ['light', 1440],
    ['dark', 1024],
    ['light', 768],
    ['dark', 390],
  ] as const)('fits a window, %s and %i wide', async (colorScheme, width) => {
    const shown = await open({ colorScheme, width })
    const { page } = shown
    await openTab(page, 'Teams')
    await execute(page)
    await told(page, 'Last run', /\d\d calls/)
    for (const part of ['.graphiql-query-editor', '.graphiql-execute-button', '.result-window', '.bill']) {
      const box = await page.locator(part).first().boundingBox()
      expect(box?.x ?? -1, part).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0), part).toBeLessThanOrEqual(width)
    }
    await expect.poll(() => calls(page).evaluate(isWhole)).toBe(true)
    expect(await calls(page).locator('.bar').evaluateAll(areDrawn)).toBe(true)
    await expectSound(shown, `graphiql-${colorScheme}-${width}`)
  })

  it('shows its settings whole on a phone, and keeps to them', async () => {
    const shown = await open({ width: 390 })
    const { page } = shown
    await execute(page)
    await told(page, 'Last run', /2 calls/)
    await page.getByRole('button', { name: 'Open settings dialog' }).click()
    const dark = page.getByRole('dialog').getByRole('button', { name: 'Dark' })
    const { x, width } = (await dark.boundingBox()) ?? { x: 390, width: 0 }
    expect(x + width).toBeLessThanOrEqual(390)
    await dark.click()
    await page.evaluate(rest)
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show History' }).click()
    await page.getByRole('button', { name: 'Day', exact: true }).nth(1).waitFor()
    await expectSound(shown, 'settings')
  })

  it('keeps its tabs, without their bills, when the page is opened again', async () => {
    const shown = await open()
    const { page } = shown
    await execute(page)
    await told(page, 'Last run', /2 calls/)
    await type(page, 'Query', '# mine\nquery Mine { usage { month } }')
    await page.locator('.graphiql-tab').getByText('Mine').waitFor()
    // GraphiQL keeps its tabs half a second later than the query.
    await expect.poll(() => page.evaluate("localStorage['graphiql:tabState'] ?? ''")).toContain('query Mine')
    await page.reload()
    await told(page, 'Next run', /about 0 tokens, 0 calls/)
    expect((await page.locator('.graphiql-tab').allInnerTexts()).map((name) => name.trim())).toEqual([
      'Mine',
      'Teams',
      'Ratings',
      'Leaders',
      'Find',
      'Live',
      'Leagues',
    ])
    expect([await line(page, 'Last run').count(), await calls(page).count()]).toEqual([0, 0])
    expect(shown.faults).toEqual([])
    await page.close()
  })

  it.each(['light', 'dark'] as const)('shows the schema’s docs, %s', async (colorScheme) => {
    const shown = await open({ colorScheme })
    await shown.page.getByRole('button', { name: /Documentation Explorer/ }).click()
    await shown.page.getByRole('link', { name: 'Query', exact: true }).first().click()
    await shown.page.getByText('A league: the place to start.').waitFor()
    await expectSound(shown, `docs-${colorScheme}`)
  })
})
