import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'puppeteer-core'
import { startServer } from '../../server.ts'
import type { Server } from '../../server.ts'
import { launchFirefox, missingFirefox } from './firefox.ts'
import { pagesOf } from '../sample-day.ts'

let server: Server
let browser: Browser

describe.skipIf(missingFirefox)(
  `the scoreboard in a real Firefox${missingFirefox ? ` (skipped: ${missingFirefox})` : ''}`,
  () => {
    beforeAll(async () => {
      server = await startServer()
      browser = await launchFirefox()
    })
    afterAll(async () => {
      await browser?.close()
      await server?.close()
    })

    it('has every page, without an error', async () => {
      for (const [name, [path, part]] of Object.entries(await pagesOf(server))) {
        const page = await browser.newPage()
        const faults: unknown[] = []
        page.on('pageerror', (error) => faults.push(error))
        page.on('console', (message) => {
          if (message.type() === 'error') faults.push(message.text())
        })
        await page.setViewport({ width: 390, height: 844 })
        await page.goto(`${server.url}${path}`)
        await page.waitForSelector(part)
        await page.waitForFunction("!document.querySelector('.loading')")
        expect(await page.evaluate('document.querySelectorAll("[role=alert]").length'), name).toBe(0)
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), name).toBe(true)
        expect(faults, name).toEqual([])
        await page.close()
      }
    })

    it('finds a player by keyboard and opens the page', async () => {
      const page = await browser.newPage()
      await page.goto(`${server.url}/leagues`)
      await page.waitForSelector('.leagues a')
      await page.focus('[role=combobox]')
      await page.keyboard.type('Zion Dunmore')
      // Results of what was typed so far may come before those of the whole name.
      await page.waitForFunction(`(() => {
        const options = [...document.querySelectorAll('[role=option]')]
        return options.length > 0 && options.every((one) => one.textContent.includes('Zion Dunmore'))
      })()`)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForFunction("location.pathname.startsWith('/player/')")
      await page.waitForFunction("document.querySelector('h1')?.textContent.includes('Zion Dunmore')")
      await page.close()
    })
  },
)
