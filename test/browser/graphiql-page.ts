import type { Page, Request } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import type { Between } from '../graph/harness.ts'
import type { Server } from '../server.ts'
import { keep, seriousFindings, visit } from './browser.ts'
import type { Look, Visit } from './browser.ts'
import { startSite } from './site.ts'

const straight: Between = (request, service) => service(request)

/**
 * A server with GraphiQL and a browser, for the tests of a `describe`. Before each nothing is paid for, and
 * nothing stands before the service.
 */
export function startGraphiQL() {
  let between = straight
  const site = startSite({ between: (request, service) => between(request, service) })
  beforeEach(() => void (between = straight))
  return {
    get server() {
      return site.server
    },
    /** Stands between the graph and the service until the test ends. */
    stand: (next: Between) => void (between = next),
    open: (look?: Look, { url }: Pick<Server, 'url'> = site.server) =>
      visit(site.browser, `${url}/graphql`, look),
  }
}

export const line = (page: Page, name: string) => page.locator('.bill dl > div').filter({ hasText: name })
export const told = (page: Page, name: string, words: RegExp) =>
  line(page, name).filter({ hasText: words }).waitFor()
export const calls = (page: Page) => page.getByRole('region', { name: 'Calls of this run' })
export const result = (page: Page) => page.locator('.result-window')
export const execute = (page: Page) => page.getByRole('button', { name: /Execute query/ }).click()
export const isStream = (request: Request) => request.headers()['accept'] === 'text/event-stream'
export const openTab = (page: Page, name: string) =>
  page.locator('.graphiql-tab').getByRole('button', { name, exact: true }).click()

/** What the editors hold; CodeMirror hears of it as of typing. */
export async function type(page: Page, editor: 'Query' | 'Variables', text: string) {
  await page.getByRole('textbox', { name: editor }).first().focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

/** The operations that the panel lists as sent, as the service received them. */
export async function billed(page: Page): Promise<string[]> {
  const rows = await calls(page).locator('tbody tr').filter({ hasText: 'upstream' }).all()
  const cells = await Promise.all(
    rows.map((row) => row.locator('.operation, td:nth-child(2)').allInnerTexts()),
  )
  return cells.map((cell) => cell.join(' ')).toSorted()
}

export const tokensIn = (text: string) => Number(/([\d,]+) tokens?\b/.exec(text)?.[1]?.replaceAll(',', ''))

/** Run in the page: waits until CodeMirror has finished drawing, because axe needs a page at rest. */
export const rest = `new Promise((resolve) => {
  let timer = setTimeout(resolve, 700)
  const wait = () => (clearTimeout(timer), (timer = setTimeout(resolve, 700)))
  new MutationObserver(wait).observe(document.body, { subtree: true, childList: true })
})`

/** Whatever GraphiQL shows, it must hold to this. */
export async function expectSound({ page, faults }: Visit, name: string) {
  await page.evaluate(rest)
  await keep(page, name)
  expect(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await seriousFindings(page)).toEqual([])
  expect(faults).toEqual([])
  await page.close()
}

export interface Drawn {
  getBoundingClientRect(): { width: number; height: number }
}

// Run in the page.
export const isWhole = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
  scrollWidth <= clientWidth
export const areDrawn = (bars: Drawn[]) =>
  bars.length > 0 && bars.every((bar) => bar.getBoundingClientRect().width >= 40)
