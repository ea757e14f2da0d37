import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page, Request, Response } from 'playwright-core'
import { expect, inject } from 'vitest'
import { patience } from '../patience.ts'

const folder = import.meta.dirname
const chromium = inject('chromium')

/** Why no browser can be had, or null. */
export const missing = 'missing' in chromium ? chromium.missing : null

// The packages of this suite may be missing, if they could not be installed.
const require = createRequire(import.meta.url)

/** A real Chromium. Throws if it is missing. */
export async function launch(flags: readonly string[] = []): Promise<Browser> {
  if ('missing' in chromium) throw new Error(chromium.missing)
  const playwright = require('playwright-core') as typeof import('playwright-core')
  return playwright.chromium.launch({ ...chromium, args: [...chromium.args, ...flags] })
}

export interface Visit {
  readonly page: Page
  /** What a page must not do: errors on its console, and requests to other hosts. */
  readonly faults: string[]
}

export interface Look {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  readonly timezoneId?: string
}

/** The queries of each page that are under way. */
const underway = new WeakMap<Page, Set<Request>>()

function watch(page: Page): void {
  const queries = new Set<Request>()
  underway.set(page, queries)
  page.on('request', (request) => {
    const isStream = request.headers()['accept']?.includes('text/event-stream')
    if (request.url().endsWith('/graphql') && !isStream) queries.add(request)
  })
  const end = (request: Request) => void queries.delete(request)
  page.on('requestfinished', end).on('requestfailed', end)
}

/** Resolves when a page loads nothing any more: no query is under way, and none follows from an answer. */
export async function loaded(page: Page): Promise<void> {
  const isIdle = async () => !underway.get(page)?.size && (await page.locator('.loading').count()) === 0
  const isAtRest = async () => {
    if (!(await isIdle())) return false
    // A page that is busy with an answer has not sent yet what follows from it. On a busy machine, Chromium may
    // never call back without a timeout, although the page is idle.
    await page.evaluate(
      'new Promise((is) => requestAnimationFrame(() => setTimeout(() => requestIdleCallback(is, { timeout: 1_000 }), 50)))',
    )
    return isIdle()
  }
  await expect.poll(isAtRest).toBe(true)
}

export async function visit(
  browser: Browser,
  url: string,
  { colorScheme = 'light', width = 1200, timezoneId = 'UTC' }: Look = {},
): Promise<Visit> {
  const page = await browser.newPage({
    colorScheme,
    viewport: { width, height: 900 },
    locale: 'en-US',
    timezoneId,
  })
  page.setDefaultTimeout(patience)
  watch(page)
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== new URL(url).origin) faults.push(`asked ${request.url()}`)
  })
  await page.goto(url)
  return { page, faults }
}

/** Whether an answer is a subscription's, which says that it is open. */
export const isStream = (response: Response) =>
  response.headers()['content-type']?.startsWith('text/event-stream') ?? false

/** Holds back every query from now on, until it is released. */
export async function held(page: Page) {
  let [release, count] = [() => {}, 0]
  const released = new Promise<void>((is) => (release = is))
  await page.route('**/graphql', async (route) => {
    count += 1
    await released
    await route.continue()
  })
  return { release, waiting: () => count }
}

/** Saves a screenshot of a page for people, where `SCREENSHOTS=yes` asks for it. */
export async function keep(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== 'yes') return
  mkdirSync(join(folder, 'screenshots'), { recursive: true })
  await page.screenshot({ path: join(folder, 'screenshots', `${name}.png`), fullPage: true })
}

/** What axe-core finds wrong that is serious or critical. */
export const seriousFindings = (page: Page): Promise<string[]> => findingsOf(page, ['serious', 'critical'])

/** All that axe-core finds wrong. */
export const allFindings = (page: Page): Promise<string[]> =>
  findingsOf(page, ['minor', 'moderate', 'serious', 'critical'])

/** What axe-core finds wrong of colours, which is all that a theme changes. */
export const contrastFindings = (page: Page): Promise<string[]> =>
  findingsOf(page, ['minor', 'moderate', 'serious', 'critical'], { runOnly: ['color-contrast'] })

async function findingsOf(page: Page, impacts: readonly string[], options: object = {}): Promise<string[]> {
  // The page’s policy allows no other scripts, so axe is run by the browser itself.
  const { source } = require('axe-core') as { source: string }
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
  return page.evaluate(
    async ([wanted, how]) => {
      const axe = (globalThis as unknown as { axe: Axe }).axe // evaluated above
      const { violations } = await axe.run(how)
      return violations
        .filter(({ impact }) => wanted.includes(impact ?? ''))
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    [impacts, options] as const,
  )
}

interface Axe {
  run(
    options: object,
  ): Promise<{ violations: { id: string; impact: string | null; nodes: { html: string }[] }[] }>
}
