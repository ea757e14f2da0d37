import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { fakedTimers, startLivingDay } from '../client/living.ts'
import type { LivingDay } from '../client/living.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { remembering } from '../graph/remembering.ts'
import { startServer } from '../server.ts'
import type { Server, Settings } from '../server.ts'
import { launch, visit } from './browser.ts'
import type { Look } from './browser.ts'

/**
 * A server and a browser, for the tests of a `describe`. Before each of them nothing is paid for. The service works out
 * each answer once.
 */
export function startSite(settings: Settings = {}) {
  let server: Server
  let browser: Browser
  beforeAll(async () => {
    const { between = (request, service) => service(request) } = settings
    let remembered: Transport | null = null
    server = await startServer({
      ...settings,
      between: (request, service) => between(request, (remembered ??= remembering(service))),
    })
    browser = await launch()
  })
  beforeEach(() => {
    server.forget()
    server.down.clear()
    server.calls.take()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  return {
    get server() {
      return server
    },
    get browser() {
      return browser
    },
    open: (path: string, look?: Look) => visit(browser, `${server.url}${path}`, look),
    /** A page to be prepared before it goes to its address. */
    openBlank: () => visit(browser, 'about:blank'),
    operations: () => operationsOf(server),
  }
}

/**
 * A day on which a game is played, and a browser, for the tests of a `describe`. Before each of them nothing is
 * paid for.
 */
export function startLivingSite() {
  let day: LivingDay
  let browser: Browser
  beforeAll(async () => {
    day = await startLivingDay()
    browser = await launch()
  })
  beforeEach(() => {
    // The browser's driver lives here too: its time goes on by itself.
    vi.useFakeTimers({ ...fakedTimers, shouldAdvanceTime: true })
    day.forget()
    day.calls.take()
  })
  afterEach(() => vi.useRealTimers())
  afterAll(async () => {
    await browser?.close()
    await day?.close()
  })
  return {
    get day() {
      return day
    },
    get browser() {
      return browser
    },
    open: (path: string) => visit(browser, new URL(path, day.url).href),
    openBlank: () => visit(browser, 'about:blank'),
    operations: () => operationsOf(day),
  }
}

/** The operations that were called since the last time, in the order of their names. */
const operationsOf = ({ calls }: Pick<Server, 'calls'>): readonly string[] =>
  calls
    .take()
    .map((call) => call.replace(/ .*/, ''))
    .toSorted()
