import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, missing as noBrowser, visit } from '../browser.ts'
import { season } from '../../graph/harness.ts'
import { startServer } from '../../server.ts'
import type { Server } from '../../server.ts'
import { installSuite, run } from '../../suite.ts'
import { freePort } from '../../free-port.ts'

const example = resolve(import.meta.dirname, '../../../examples/next')
const missing = (await installSuite(example)) ?? noBrowser
const date = '2026-02-14'

let server: Server
let browser: Browser
let next: ChildProcess
let url: string

/** The page’s requests of the graph, but streams of events. */
const isQuery = (address: string, accept: string | undefined) =>
  address.endsWith('/graphql') && !accept?.includes('text/event-stream')

async function open(path: string) {
  const { page, faults } = await visit(browser, 'about:blank')
  const queries: string[] = []
  page.on('request', (request) => {
    if (isQuery(request.url(), request.headers()['accept'])) queries.push(request.postData() ?? '')
  })
  await page.goto(url + path)
  const own = () => faults.filter((fault) => !fault.startsWith('asked ')) // opened from another page
  return { page, queries, faults: own }
}

/** Starts `next start`, as the example’s README does. */
async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  const port = await freePort()
  next = spawn(join(example, 'node_modules/.bin/next'), ['start', '-p', String(port)], {
    cwd: example,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  url = `http://127.0.0.1:${port}`
  await new Promise<void>((ready, failed) => {
    let output = ''
    next.once('exit', (code) => failed(new Error(`next start ended with ${code}: ${output}`)))
    next.stdout?.on('data', (text: Buffer) => {
      output += text.toString()
      if (output.includes('Ready')) ready()
    })
  })
}

/** Presses a button once React has taken the page over: before, nothing would hear of it. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  const isTaken = () =>
    button.evaluate((one) => Object.keys(one).some((key) => key.startsWith('__reactProps')))
  await expect.poll(isTaken).toBe(true)
  await button.click()
}

describe.skipIf(missing)(`an application of Next.js${missing ? ` (skipped: ${missing})` : ''}`, () => {
  beforeAll(async () => {
    server = await startServer()
    browser = await launch()
    const packed = await run(example, 'npm', 'run', 'client')
    expect(packed.code, packed.output).toBe(0)
    rmSync(join(example, '.next'), { recursive: true, force: true })
    const built = await run(example, join(example, 'node_modules/.bin/next'), 'build')
    expect(built.code, built.output).toBe(0)
    expect(built.output).not.toMatch(/warn/i)
    await start({
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: undefined,
      STATLINE_URL: `${server.url}/graphql`,
    })
  })
  afterAll(async () => {
    if (next?.exitCode === null) {
      next.kill()
      await once(next, 'exit')
    }
    await browser?.close()
    await server?.close()
  })

  const firstCalls = async (path: string) => {
    server.forget()
    server.calls.take()
    const html = await (await fetch(url + path)).text()
    return { html, calls: server.calls.take() }
  }

  it('sends a day in its HTML, for what the query costs', async () => {
    const { html, calls } = await firstCalls(`/?date=${date}`)
    const { data } = await server.sample
      .graph()
      .query<{ league: { games: { homeTeam: { name: string } }[] } }>(
        `{ league { games(date: "${date}") { homeTeam { name } } } }`,
      )
    expect(data.league.games.length).toBeGreaterThan(5)
    const missing = data.league.games.filter(
      ({ homeTeam: { name } }) => !html.includes(`${name.replace('&', '&amp;')}</li>`),
    )
    expect(missing).toEqual([])
    expect(calls.map((call) => call.split(' ')[0]).toSorted()).toEqual([
      'conference/read',
      'game/getGames',
      'game/getScores',
      'organization/read',
    ])
  })

  it('asks for today and for the season under way where its address names none', async () => {
    const before = server.calls.sent.length
    const argumentsOf = (name: string) =>
      new Set(server.calls.sent.slice(before).flatMap(({ arguments: values }) => values[name] ?? []))
    const named = await firstCalls(`/?date=${date}`)
    const { html, calls } = await firstCalls('/')
    const games = (text: string) => text.match(/<li>.*?<\/li>/g)
    expect(html).toContain('Games of <!-- -->today')
    expect(games(html)?.length).toBeGreaterThan(5)
    expect(games(html)).toEqual(games(named.html))
    expect(calls).toEqual(named.calls)
    expect(argumentsOf('start_date')).toEqual(new Set([date]))
    const leaders = await firstCalls('/leaders')
    expect(games(leaders.html)).toHaveLength(5)
    expect(leaders.calls).toContain('ranking/download 1')
    const download = server.calls.sent.findLast(({ operation }) => operation === 'ranking/download')
    expect(download?.arguments['season']).toBe(String(season))
  })

  it('is taken over by the browser without a second request, and follows the scores for nothing', async () => {
    server.forget()
    const { page, queries, faults } = await open(`/?date=${date}`)
    server.calls.take()
    const games = await page.locator('li').count()
    expect(games).toBeGreaterThan(5)
    await press(page, 'Follow')
    await page.getByRole('button', { name: 'Following' }).waitFor()
    await expect.poll(() => page.locator('li').count()).toBe(games)
    expect(queries).toEqual([])
    expect(server.calls.take()).toEqual([])
    expect(faults()).toEqual([])
    await page.close()
  })

  it('streams what a server component does not wait for, and adds pages in the browser', async () => {
    const { html, calls } = await firstCalls(`/leaders?season=${season}`)
    expect([html.includes('Loading…'), html.match(/<li>/g)?.length]).toEqual([true, 5])
    expect(calls).toContain('ranking/download 1')

    const { page, queries, faults } = await open(`/leaders?season=${season}`)
    await expect.poll(() => page.locator('li').count()).toBe(5)
    expect(queries).toEqual([])
    server.calls.take()
    await press(page, 'More')
    await expect.poll(() => page.locator('li').count()).toBe(10)
    expect(queries).toHaveLength(1)
    expect(server.calls.take().filter((call) => !call.startsWith('team/read'))).toEqual([])
    expect(faults()).toEqual([])
    await page.close()
  })

  it('shows nobody what another visitor’s request has asked', async () => {
    const other = await (await fetch(`${url}/?date=2026-02-13`)).text()
    const { html } = await firstCalls(`/?date=${date}`)
    const dates = (text: string) =>
      [...text.matchAll(/Games of (?:<!-- -->)?(\d{4}-\d\d-\d\d)/g)].map(([, day]) => day)
    expect(new Set(dates(other))).toEqual(new Set(['2026-02-13']))
    expect(new Set(dates(html))).toEqual(new Set([date]))
    expect(html.includes('2026-02-13')).toBe(false)
  })

  it('leaves the question to the browser where the server cannot be reached', async () => {
    server.down.add('game/getGames').add('game/getScores')
    const response = await fetch(`${url}/?date=2026-02-12`)
    server.down.clear()
    expect(response.status).toBe(200)
    expect((await response.text()).includes('Application error')).toBe(false)
  })
})
