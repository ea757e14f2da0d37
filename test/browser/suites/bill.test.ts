import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { allFindings, loaded, missing } from '../browser.ts'
import { date, finishedGame } from '../sample-day.ts'
import { startSite } from '../site.ts'

/** The queries of a page, in order: the name of each, and its `explain`. */
function watched(page: Page) {
  const sent: string[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/graphql')) return
    const { query = '', extensions } = JSON.parse(request.postData() ?? '{}') as {
      query?: string
      extensions?: { explain?: unknown }
    }
    const [, name = ''] = /(?:query|subscription) (\w+)/.exec(query) ?? []
    sent.push(`${name} ${JSON.stringify(extensions?.explain) ?? 'plain'}`)
  })
  return { take: () => sent.splice(0) }
}

const bill = (page: Page) => page.getByRole('contentinfo')
const costIn = async (page: Page) =>
  Number(/cost (\d+) token/.exec(await bill(page).innerText())?.[1] ?? Number.NaN)

interface Row {
  readonly cells: Iterable<{ readonly innerText: string }>
}

/** The lines of the bill: part, call, who answered, tokens. */
async function linesIn(page: Page) {
  // In one step: a line may be replaced between two.
  const texts = await bill(page)
    .locator('tbody tr')
    .evaluateAll((rows) => {
      const lines = rows as unknown as Row[] // a table’s
      return lines.map(({ cells }) => [...cells].map(({ innerText }) => innerText))
    })
  return texts.map(([part = '', call = '', by = '', , , tokens]) => ({
    part,
    call,
    by,
    tokens: Number(tokens),
  }))
}

describe.skipIf(missing)(`the bill of a page${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startSite()

  it('is summed up without explanations, and explained for nothing when it is opened', async () => {
    const { page, faults } = await site.openBlank()
    const asked = watched(page)
    await page.goto(`${site.server.url}/games/${date}`)
    // The days around are counted one by one, yesterday last, until the rest is offered for its price.
    const rest = '.offer:has-text("days around"), .strip li:nth-child(3) .count:not(:empty)'
    await page.locator(rest).first().waitFor()
    await loaded(page)
    const plain = asked.take()
    expect(plain).toContain('Scoreboard plain')
    expect(plain.filter((one) => one.endsWith('true'))).toEqual([])
    const cost = site.server.calls.sent.reduce((sum, { bytes }) => sum + Math.ceil(bytes / 1024), 0)
    await expect.poll(() => costIn(page)).toBe(cost)

    site.server.calls.take()
    await bill(page).getByText('This page has cost').click()
    await bill(page)
      .getByRole('row', { name: /League\.games.*what was paid for/ })
      .first()
      .waitFor()
    await loaded(page)
    expect(asked.take()).toContain('Scoreboard true')
    expect(site.server.calls.take()).toEqual([])
    expect(await costIn(page)).toBe(cost)
    const totalOf = async () => (await linesIn(page)).reduce((sum, { tokens }) => sum + tokens, 0)
    await expect.poll(totalOf).toBe(cost)
    const lines = await linesIn(page)
    expect(lines[0]).toMatchObject({ part: 'Not listed one by one', tokens: cost })
    expect(await allFindings(page)).toEqual([])
    expect(faults.filter((fault) => !fault.startsWith('asked '))).toEqual([])
    await page.close()
  })

  it('stays open in its tab, and then has every call with its price', async () => {
    const { gameId } = await finishedGame(site.server)
    const { page } = await site.open('/leagues')
    await bill(page).getByText('This page has cost').click()
    await bill(page).getByRole('table').waitFor() // the browser tells the page of the click a little later
    await page.reload()
    const asked = watched(page)
    await bill(page).getByRole('table').waitFor()
    site.server.forget()
    site.server.calls.take()
    await page.goto(`${site.server.url}/game/${gameId}`)
    await page.locator('.movement').waitFor()
    // Both teams’ statistics are two calls in one line.
    await expect.poll(() => linesIn(page)).toHaveLength(5)
    await loaded(page)
    expect(asked.take().filter((one) => one.endsWith('plain'))).toEqual([])
    const lines = await linesIn(page)
    expect(lines.every(({ by }) => by === 'the service')).toBe(true)
    const made = site.server.calls.take().map((call) => call.split(' ')[0])
    expect(lines.map(({ call }) => call).toSorted()).toEqual([...new Set(made)].toSorted())
    expect(lines.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(await costIn(page))

    await bill(page).getByText('This page has cost').click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Leagues' }).click()
    await page.locator('.leagues a').first().waitFor()
    await loaded(page)
    expect(asked.take().filter((one) => one.endsWith('true'))).toEqual([])
    await page.close()
  })
})
