import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Between } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'
import { keep, launch, missing, seriousFindings, visit } from './browser.ts'
import type { Look, Visit } from './browser.ts'

let server: Server
let browser: Browser
let between: Between

const open = (look?: Look, { url } = server) => visit(browser, `${url}/graphql`, look)

const line = (page: Page, name: string) => page.locator('.bill dl > div').filter({ hasText: name })
const told = (page: Page, name: string, words: RegExp) =>
  line(page, name).filter({ hasText: words }).waitFor()
const calls = (page: Page) => page.getByRole('region', { name: 'Calls of this run' })
const result = (page: Page) => page.locator('.result-window')
const execute = (page: Page) => page.getByRole('button', { name: /Execute query/ }).click()
const isStream = (request: Request) => request.headers()['accept'] === 'text/event-stream'
const openTab = (page: Page, name: string) =>
  page.locator('.graphiql-tab').getByRole('button', { name, exact: true }).click()

/** What the editors hold; CodeMirror hears of it as of typing. */
async function type(page: Page, editor: 'Query' | 'Variables', text: string) {
  await page.getByRole('textbox', { name: editor }).first().focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

/** The operations that the panel lists as sent, as the service received them. */
async function billed(page: Page): Promise<string[]> {
  const rows = await calls(page).locator('tbody tr').filter({ hasText: 'upstream' }).all()
  const cells = await Promise.all(
    rows.map((row) => row.locator('.operation, td:nth-child(2)').allInnerTexts()),
  )
  return cells.map((cell) => cell.join(' ')).toSorted()
}

const tokensIn = (text: string) => Number(/([\d,]+) tokens?\b/.exec(text)?.[1]?.replaceAll(',', ''))

/** Run in the page: CodeMirror goes on drawing after it has its text, and axe does not bear that. */
const rest = `new Promise((resolve) => {
  let timer = setTimeout(resolve, 700)
  const wait = () => (clearTimeout(timer), (timer = setTimeout(resolve, 700)))
  new MutationObserver(wait).observe(document.body, { subtree: true, childList: true })
})`

/** Whatever GraphiQL shows, it must hold to this. */
async function expectSound({ page, faults }: Visit, name: string) {
  await page.evaluate(rest)
  await keep(page, name)
  expect(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await seriousFindings(page)).toEqual([])
  expect(faults).toEqual([])
  await page.close()
}

describe.skipIf(missing)(`GraphiQL in a real Chromium${missing ? ` (skipped: ${missing})` : ''}`, () => {
  beforeAll(async () => {
    server = await startServer({ between: (request, service) => between(request, service) })
    browser = await launch()
  })

  beforeEach(() => {
    server.forget()
    server.calls.take()
    between = (request, service) => service(request)
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  it('prices a query before its run, draws its bill after it, and tells what was paid for already', async () => {
    const shown = await open()
    const { page } = shown
    await told(page, 'Next run', /about [\d,]+ tokens \([\d,]+–[\d,]+\), 2 calls/)
    const expected = tokensIn(await line(page, 'Next run').innerText())
    expect(server.calls.take()).toEqual([])
    await execute(page)
    await told(
      page,
      'Last run',
      new RegExp(`[1-9]\\d* tokens \\(about ${expected} expected\\), .* KiB, 2 calls`),
    )
    expect(await billed(page)).toEqual(['game/getGames 1', 'game/getScores 1'])
    expect(server.calls.take()).toEqual(['game/getGames 1', 'game/getScores 1'])
    expect(await calls(page).locator('.bar').count()).toBe(2)
    const spent = tokensIn(await line(page, 'Last run').innerText())
    await told(page, '2026-02', new RegExp(`${spent} tokens spent, no budget set`))
    await told(page, 'Next run', /about 0 tokens, 0 calls/)
    await keep(page, 'graphiql')

    await execute(page)
    await told(page, 'Last run', /0 tokens, \d answers already paid for/)
    const rows = await calls(page).locator('tbody').innerText()
    expect(rows).toMatch(/game\/getGames\s+League.games\s+1\s+–\s+–\s+–\s+memory/)
    expect([await calls(page).locator('.bar').count(), server.calls.take()]).toEqual([0, []])
    await expectSound(shown, 'memory')
  })

  it('opens on tabs that all fit and answer', async () => {
    const shown = await open()
    const { page } = shown
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
      await execute(page)
      await result(page).filter({ hasText: '"data"' }).waitFor()
      expect(await result(page).innerText(), name).not.toContain('"errors"')
    }
    expect(shown.faults).toEqual([])
    await page.close()
  })

  it('shows a subscription’s running bill, look by look, until it is stopped', async () => {
    const began = Date.now()
    let score = 0
    const living = await startServer({
      clock: () => sampleNow + Date.now() - began,
      freshFor: { live: 2_000 }, // polled again soon
      between: async (request, service) => {
        const answer = await service(request)
        const body = answer.body
          .replaceAll(/"home_score":\d+/g, () => `"home_score":${(score += 1)}`)
          .replaceAll('"scheduled"', '"in_progress"')
        return { ...answer, body }
      },
    })
    const shown = await open({}, living)
    const { page } = shown
    await openTab(page, 'Live')
    await told(page, 'Next run', /about [\d,]+ tokens \(.*\), 1 call up to its first event/)
    const request = page.waitForRequest(isStream)
    await execute(page)
    await told(page, 'Live', /14 events since \d\d:\d\d:\d\d: \d+ tokens, .*, 1 call/)
    const first = tokensIn((await line(page, 'Live').innerText()).split(': ')[1] ?? '')
    await told(page, 'Live', /(1[5-9]|[2-9]\d) events since/)
    await calls(page)
      .getByText(/after [1-9]\d*\.\d s/)
      .first()
      .waitFor()
    expect(tokensIn((await line(page, 'Live').innerText()).split(': ')[1] ?? '')).toBeGreaterThan(first)
    await keep(page, 'subscription')

    const ended = page.waitForEvent('requestfailed', isStream)
    await page.getByRole('button', { name: /Stop query/ }).click()
    expect(await ended).toBe(await request)
    await told(page, 'Stopped', /events since/)
    expect(
      await calls(page)
        .getByRole('row', { name: /upstream/ })
        .count(),
    ).toBeGreaterThan(1)
    living.calls.take()
    await page.waitForTimeout(2_500)
    expect(living.calls.take()).toEqual([])
    await expectSound(shown, 'stopped')
    await living.close()
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
    between = async (request, service) => {
      if (request.operation.function === 'getScores') await held
      return service(request)
    }
    const shown = await open()
    const { page } = shown
    await execute(page)
    await told(page, 'Running', /…/)
    await openTab(page, 'Ratings')
    await told(page, 'Next run', /about/)
    answer()
    await told(page, '2026-02', /[1-9]\d* tokens spent/)
    expect(await page.locator('.bill dt').allInnerTexts()).toEqual(['Next run', '2026-02'])
    expect(await result(page).innerText()).not.toContain('data')
    await openTab(page, 'Day')
    await told(page, 'Last run', /2 calls/)
    expect(server.calls.take()).toEqual(['game/getGames 1', 'game/getScores 1'])
    expect(shown.faults).toEqual([])
    await page.close()
  })

  it('shows the bill of the last of two runs, also if the first is answered last', async () => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    between = async (request, service) => {
      if (request.operation.function === 'search') await held
      return service(request)
    }
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
    expect(await result(page).innerText()).toContain('"elo"')
    expect(shown.faults).toEqual([])
    await page.close()
  })

  it('tells why there is no price, and shows no bill of what did not run', async () => {
    const shown = await open()
    const { page } = shown
    await execute(page)
    await told(page, 'Last run', /2 calls/)
    server.calls.take()
    const byDay = 'query Day($date: Date!) { league { games(date: $date) { clock } } }'
    await type(page, 'Query', '{ league { ')
    await told(page, 'Next run', /no price\. The query is not complete\./)
    await type(page, 'Query', '{ lague }')
    await told(page, 'Next run', /no price\. Cannot query field "lague"/)
    await type(page, 'Query', '{ team(id: "nonsense") { name } }')
    await told(page, 'Next run', /no price\. "nonsense" is no team’s id\./)
    await type(page, 'Query', byDay)
    await told(page, 'Next run', /no price\. Variable "\$date" of required type/)
    await type(page, 'Variables', '{ "date": 5 }')
    await told(page, 'Next run', /no price\. Variable "\$date" got invalid value 5/)
    await type(page, 'Variables', '{ "date": ')
    await told(page, 'Next run', /no price\. The variables are not a JSON object\./)
    await told(page, 'Last run', /2 calls/)
    await execute(page)
    await result(page).filter({ hasText: 'Variables are invalid JSON' }).waitFor()
    expect([await line(page, 'Last run').count(), await calls(page).count()]).toEqual([0, 0])
    expect(server.calls.take()).toEqual([])
    await expectSound(shown, 'no-price')
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
    server.down.add('game/getScores')
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
    server.down.clear()
    await expectSound(shown, 'unanswered')
  })

  it('takes the key that each client brings from a preset, and carries it from tab to tab', async () => {
    const keyed = await startServer({ apiKey: null })
    const shown = await open({}, keyed)
    const { page } = shown
    await told(page, 'Next run', /no price\. A query needs an API key/)
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

  it('is used by keyboard alone', async () => {
    const shown = await open()
    const { page } = shown
    await page.getByRole('textbox', { name: 'Query' }).focus()
    await page.keyboard.press('Control+Enter')
    await told(page, 'Last run', /2 calls/)
    const reached = new Set<string>()
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab')
      reached.add(await page.evaluate('document.activeElement.closest("[aria-label]")?.ariaLabel ?? ""'))
    }
    expect([...reached]).toEqual(expect.arrayContaining(['Variables', 'Answer', 'Bill', 'Calls of this run']))
    expect(shown.faults).toEqual([])
    await page.close()
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
    expect(await calls(page).evaluate(isWhole)).toBe(true)
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
    await page.waitForTimeout(700) // GraphiQL keeps it half a second later
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

interface Drawn {
  getBoundingClientRect(): { width: number; height: number }
}

// Run in the page.
const isWhole = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
  scrollWidth <= clientWidth
const areDrawn = (bars: Drawn[]) =>
  bars.length > 0 && bars.every((bar) => bar.getBoundingClientRect().width >= 40)
