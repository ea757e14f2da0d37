import { describe, expect, it } from 'vitest'
import { sampleNow } from '../sample.setup.ts'
import { startServer } from '../server.ts'
import { keep, missing } from './browser.ts'
import {
  line,
  told,
  calls,
  result,
  execute,
  isStream,
  openTab,
  type,
  billed,
  tokensIn,
  expectSound,
  startGraphiQL,
} from './graphiql-page.ts'

describe.skipIf(missing)(`GraphiQL in a real Chromium${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startGraphiQL()
  const { open } = site

  it('prices a query before its run, draws its bill after it, and tells what was paid for already', async () => {
    const shown = await open()
    const { page } = shown
    await told(page, 'Next run', /about [\d,]+ tokens \([\d,]+–[\d,]+\), 2 calls/)
    const expected = tokensIn(await line(page, 'Next run').innerText())
    expect(site.server.calls.take()).toEqual([])
    await execute(page)
    // What was expected is told if it was something else.
    const cost = `(${expected} tokens|[1-9]\\d* tokens \\(about ${expected} expected\\))`
    await told(page, 'Last run', new RegExp(`${cost}, .* KiB, 2 calls`))
    expect(await billed(page)).toEqual(['game/getGames 1', 'game/getScores 1'])
    expect(site.server.calls.take()).toEqual(['game/getGames 1', 'game/getScores 1'])
    await expect.poll(() => calls(page).locator('.bar').count()).toBe(2)
    const spent = tokensIn(await line(page, 'Last run').innerText())
    await told(page, '2026-02', new RegExp(`${spent} tokens spent, no budget set`))
    await told(page, 'Next run', /about 0 tokens, 0 calls/)
    await keep(page, 'graphiql')

    await execute(page)
    await told(page, 'Last run', /0 tokens, \d answers already paid for/)
    const rows = await calls(page).locator('tbody').innerText()
    expect(rows).toMatch(/game\/getGames\s+League.games\s+1\s+–\s+–\s+–\s+memory/)
    expect([await calls(page).locator('.bar').count(), site.server.calls.take()]).toEqual([0, []])
    await expectSound(shown, 'memory')
  })

  it('shows a subscription’s running bill, look by look, until it is stopped', async () => {
    const began = Date.now()
    let score = 0
    let isSeen = () => {}
    // The second look waits until the test has seen the bill of the first.
    const seen = new Promise<void>((is) => (isSeen = is))
    const living = await startServer({
      clock: () => sampleNow + Date.now() - began,
      freshFor: { live: 2_000 }, // polled again soon
      between: async (request, service) => {
        if (score > 0) await seen
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
    isSeen()
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
    const active = async () => (await fetch(`${living.url}/metrics`)).text()
    await expect.poll(active).toMatch(/^statline_subscriptions_active 0$/m)
    living.calls.take()
    await page.waitForTimeout(2_500)
    expect(living.calls.take()).toEqual([])
    await expectSound(shown, 'stopped')
    await living.close()
  })

  it('says of a live run that its rows have expired while the service fails, and that they are current again', async () => {
    const began = Date.now()
    let fails = false
    const living = await startServer({
      clock: () => sampleNow + Date.now() - began,
      freshFor: { live: 1_000 }, // polled again soon
      between: async (request, service) => {
        const answer = await service(request)
        const body = answer.body.replaceAll('"scheduled"', '"in_progress"')
        return fails ? { ...answer, status: 503, headers: {}, body: '{}' } : { ...answer, body }
      },
    })
    const shown = await open({}, living)
    const { page } = shown
    await openTab(page, 'Live')
    await execute(page)
    await told(page, 'Rows', /current$/)
    fails = true
    await told(page, 'Rows', /\d+ expired rows?, up to \d+ seconds? old, until the service answers again$/)
    await keep(page, 'live-stale')
    fails = false
    await told(page, 'Rows', /current$/)
    await page.getByRole('button', { name: /Stop query/ }).click()
    await told(page, 'Stopped', /events since/)
    await expectSound(shown, 'stale')
    await living.close()
  })

  it('tells why there is no price, and shows no bill of what did not run', async () => {
    const shown = await open()
    const { page } = shown
    await execute(page)
    await told(page, 'Last run', /2 calls/)
    site.server.calls.take()
    const byDay = 'query Day($date: Date!) { league { games(date: $date) { clock } } }'
    await type(page, 'Query', '{ league { ')
    await told(page, 'Next run', /no price\. The query is not complete\./)
    await type(page, 'Query', '{ lague }')
    await told(page, 'Next run', /no price\. Cannot query field "lague"/)
    await type(page, 'Query', '{ team(id: "nonsense") { name } }')
    await told(page, 'Next run', /no price\. "nonsense" is not a valid team id\./)
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
    expect(site.server.calls.take()).toEqual([])
    await expectSound(shown, 'no-price')
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
})
