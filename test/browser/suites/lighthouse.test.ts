import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { allSuites } from '../../all-suites.ts'
import { freePort } from '../../free-port.ts'
import { startServer } from '../../server.ts'
import type { Server } from '../../server.ts'
import { installSuite } from '../../suite.ts'
import { launch, missing } from '../browser.ts'
import { date, pagesOf } from '../sample-day.ts'

const folder = import.meta.dirname
const lacking = missing ?? (await installSuite(folder))

/** What is used of Lighthouse's result. */
interface Result {
  readonly lhr: {
    readonly categories: Readonly<
      Record<string, { readonly score: number | null; readonly auditRefs: { id: string }[] }>
    >
    readonly audits: Readonly<
      Record<
        string,
        { readonly title: string; readonly score: number | null; readonly numericValue?: number }
      >
    >
  }
}

type Lighthouse = (url: string, flags: object) => Promise<Result | undefined>

/** The first one stands for the others in CI. */
const names = [
  'games',
  ...(allSuites
    ? ['week', 'game', 'team', 'player', 'standings', 'leaders', 'leaders-ratings', 'leagues']
    : []),
]

const least = 0.95
/** What Lighthouse calls good: the share of the screen that moves times how far it moves. */
const mostShift = 0.1
let server: Server
let browser: Browser
let port: number
let pages: Awaited<ReturnType<typeof pagesOf>>

/**
 * What Lighthouse says of a page on a phone, without its times: those are the machine's as much as the page's,
 * and are measured in the benchmark `pages`.
 */
async function judged(path: string) {
  const require = createRequire(join(folder, 'package.json'))
  const { default: lighthouse } = (await import(pathToFileURL(require.resolve('lighthouse')).href)) as {
    default: Lighthouse
  }
  const result = await lighthouse(`${server.url}${path}`, {
    port,
    logLevel: 'error',
    onlyCategories: ['accessibility', 'best-practices'],
    onlyAudits: ['cumulative-layout-shift'],
  })
  if (!result) throw new Error('Lighthouse has no result.')
  const { categories, audits } = result.lhr
  const scores = Object.entries(categories).map(([name, { score, auditRefs }]) => ({
    name,
    score: score ?? 0,
    lost: auditRefs.flatMap(({ id }) => {
      const audit = audits[id]
      return audit && audit.score !== null && audit.score < 0.9 ? [audit.title] : []
    }),
  }))
  return { scores, shift: audits['cumulative-layout-shift']?.numericValue }
}

describe.skipIf(lacking)(`the scoreboard by Lighthouse${lacking ? ` (skipped: ${lacking})` : ''}`, () => {
  beforeAll(async () => {
    server = await startServer({ isCompressed: true })
    pages = await pagesOf(server)
    port = await freePort()
    browser = await launch([`--remote-debugging-port=${port}`])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  it.for(names)(
    'has at least 95 of 100 for the page %s, which does not jump while it loads',
    async (name) => {
      const [path = '/'] = pages[name] ?? []
      const { scores, shift } = await judged(path)
      expect(scores.map((one) => one.name)).toEqual(['accessibility', 'best-practices'])
      expect(scores.filter(({ score }) => score < least)).toEqual([])
      expect(shift).toBeLessThanOrEqual(mostShift)
    },
  )

  it('loads at most 100 kB of scripts for the first page, compressed', async () => {
    const page = await browser.newPage()
    const scripts: string[] = []
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.url())
    })
    await page.goto(`${server.url}/games/${date}`)
    await page.locator('.card').first().waitFor()
    const sizes = await Promise.all(
      scripts.map(async (url) => gzipSync(await (await fetch(url)).text()).length),
    )
    expect(scripts.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100_000)
    await page.close()
  })
})
