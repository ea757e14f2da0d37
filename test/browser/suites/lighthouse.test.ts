import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { startServer } from '../../server.ts'
import type { Server } from '../../server.ts'
import { installSuite } from '../../suite.ts'
import { launch, missing } from '../browser.ts'
import { pagesOf } from '../sample-day.ts'

const folder = import.meta.dirname
const lacking = missing ?? (await installSuite(folder))

/** What is used of Lighthouse's result. */
interface Result {
  readonly lhr: {
    readonly categories: Readonly<
      Record<string, { readonly score: number | null; readonly auditRefs: { id: string }[] }>
    >
    readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>
  }
}

type Lighthouse = (url: string, flags: object) => Promise<Result | undefined>

const least = 0.95
let server: Server
let browser: Browser
let port: number
let pages: Awaited<ReturnType<typeof pagesOf>>

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((is) => probe.listen(0, '127.0.0.1', is))
  const { port: free } = probe.address() as AddressInfo // a server on a port
  await new Promise((is) => probe.close(is))
  return free
}

/** Lighthouse's scores of a page on a phone with a processor four times slower, and what cost points. */
async function scoresOf(path: string) {
  const require = createRequire(join(folder, 'package.json'))
  const { default: lighthouse } = (await import(pathToFileURL(require.resolve('lighthouse')).href)) as {
    default: Lighthouse
  }
  const result = await lighthouse(`${server.url}${path}`, {
    port,
    logLevel: 'error',
    onlyCategories: ['accessibility', 'best-practices', 'performance'],
    throttlingMethod: 'devtools',
    // The processor alone is slow: the network is the machine's own.
    throttling: {
      cpuSlowdownMultiplier: 4,
      requestLatencyMs: 0,
      downloadThroughputKbps: 0,
      uploadThroughputKbps: 0,
    },
  })
  if (!result) throw new Error('Lighthouse has no result.')
  const { categories, audits } = result.lhr
  return Object.entries(categories).map(([name, { score, auditRefs }]) => ({
    name,
    score: score ?? 0,
    lost: auditRefs.flatMap(({ id }) => {
      const audit = audits[id]
      return audit && audit.score !== null && audit.score < 0.9 ? [audit.title] : []
    }),
  }))
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

  it.each(['games', 'game', 'team', 'player', 'standings', 'leaders'])(
    'has at least 95 of 100 for the page %s',
    { timeout: 240_000, retry: 1 }, // a busy machine is slower than four times
    async (name) => {
      const [path = '/'] = pages[name] ?? []
      await scoresOf(path) // the server's own caches are warm afterwards, as for most visitors
      const scores = await scoresOf(path)
      console.log(name, JSON.stringify(scores))
      expect(scores.filter(({ score }) => score < least)).toEqual([])
    },
  )

  it('loads at most 100 kB of scripts for the first page, compressed', async () => {
    const page = await browser.newPage()
    const scripts: string[] = []
    page.on('response', (response) => {
      if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push(response.url())
    })
    await page.goto(server.url)
    await page.locator('.strip').waitFor()
    await page.waitForLoadState('networkidle')
    const sizes = await Promise.all(
      scripts.map(async (url) => gzipSync(await (await fetch(url)).text()).length),
    )
    expect(scripts.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100_000)
    await page.close()
  })
})
