import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'
import { keep, launch, missing, seriousFindings, visit } from './browser.ts'
import type { Look } from './browser.ts'

let server: Server
let browser: Browser

const open = (look?: Look) => visit(browser, `${server.url}/graphql`, look)

describe.skipIf(missing)(`GraphiQL in a real Chromium${missing ? ` (skipped: ${missing})` : ''}`, () => {
  beforeAll(async () => {
    server = await startServer()
    browser = await launch()
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  it('prices a query before its run, and draws its bill as a waterfall after it', async () => {
    server.forget()
    const shown = await open()
    const { page } = shown
    await page
      .getByTestId('estimate')
      .filter({ hasText: /about [\d,–]+ tokens/ })
      .waitFor()
    await page.getByRole('button', { name: /Execute query/ }).click()
    const calls = page.getByRole('region', { name: 'Calls of this run' })
    expect(await calls.innerText()).toContain('game/getGames')
    expect(await calls.locator('.bar').count()).toBeGreaterThan(0)
    expect(await page.getByTestId('total').innerText()).toMatch(/This run: [1-9]\d* tokens/)
    await page.getByTestId('month').waitFor()
    await keep(page, 'graphiql')
    expect(shown.faults).toEqual([])
    await page.close()
  })

  it('opens on tabs that all answer', async () => {
    const shown = await open()
    const tabs = shown.page.locator('.graphiql-tab')
    await tabs.first().waitFor()
    const names = await tabs.allInnerTexts()
    expect(names.length).toBeGreaterThan(4)
    for (const [at, name] of names.entries()) {
      await tabs.nth(at).getByRole('button', { name: name.trim(), exact: true }).click()
      const answer = shown.page.waitForResponse((response) => {
        const body = response.request().postData() ?? ''
        return response.url().endsWith('/graphql') && body.includes(name.trim()) && !body.includes('"dry"')
      })
      await shown.page.getByRole('button', { name: /Execute query/ }).click()
      expect((await answer).status(), name).toBe(200)
      await shown.page.locator('.result-window').filter({ hasText: '"data"' }).waitFor()
      expect(await shown.page.locator('.result-window').innerText(), name).not.toContain('"errors"')
      if (name.trim() === 'Live')
        await shown.page
          .getByRole('button', { name: /Stop|Execute/ })
          .first()
          .click()
    }
    expect(shown.faults).toEqual([])
    await shown.page.close()
  })

  it.each(['light', 'dark'] as const)('shows the schema’s docs, %s', async (colorScheme) => {
    const shown = await open({ colorScheme })
    await shown.page.getByRole('button', { name: /Documentation Explorer/ }).click()
    await shown.page.getByRole('link', { name: 'Query', exact: true }).first().click()
    await shown.page.getByText('A league; the default one where no ids are given.').waitFor()
    await keep(shown.page, `docs-${colorScheme}`)
    expect(await seriousFindings(shown.page)).toEqual([])
    expect(shown.faults).toEqual([])
    await shown.page.close()
  })
})
