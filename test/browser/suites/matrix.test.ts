import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { allSuites } from '../../all-suites.ts'
import { allFindings, contrastFindings, keep, loaded, missing } from '../browser.ts'
import { pagesOf } from '../sample-day.ts'
import { startSite } from '../site.ts'

let pages: Awaited<ReturnType<typeof pagesOf>>

/** The widths at which pages are loaded, each with one to which their windows are made narrower. */
const widths = [
  [390, 320],
  [1440, 820],
] as const
const themes = ['light', 'dark'] as const

/** Run in the page: parts that reach beyond its right edge, unless they are in something that scrolls. */
const outside = `[...document.querySelectorAll('main *, header *, footer *')]
  .filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
  .filter((part) => {
    for (let one = part; one; one = one.parentElement)
      if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(one).overflowX)) return false
    return true
  })
  .map((part) => part.outerHTML.slice(0, 120))`

describe.skipIf(missing)(`the scoreboard on every screen${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const site = startSite()
  beforeAll(async () => {
    pages = await pagesOf(site.server)
  })

  async function expectWhole(page: Page, at: string): Promise<void> {
    expect(await page.evaluate(outside), at).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), at).toBeLessThanOrEqual(
      0,
    )
  }

  it.each(widths)('is whole and accessible in both themes, %i and %i wide', async (width, narrower) => {
    for (const [nth, [name, [path, part]]] of Object.entries(pages).entries()) {
      // Half of the pages load in the dark and turn light.
      const [first, second] = nth % 2 === 0 ? themes : ([themes[1], themes[0]] as const)
      const { page, faults } = await site.open(path, { colorScheme: first, width })
      await page.locator(part).first().waitFor()
      await loaded(page)
      const at = (wide: number, theme: string) => `${name} at ${wide}, ${theme}`
      await keep(page, `${name}-${width}-${first}`)
      await expectWhole(page, at(width, first))
      expect(await allFindings(page), at(width, first)).toEqual([])
      await page.emulateMedia({ colorScheme: second })
      await keep(page, `${name}-${width}-${second}`)
      // The narrower window shows the same colours. This is repeated before a release.
      if (allSuites) expect(await contrastFindings(page), at(width, second)).toEqual([])
      await page.setViewportSize({ width: narrower, height: 900 })
      await keep(page, `${name}-${narrower}-${second}`)
      await expectWhole(page, at(narrower, second))
      expect(await allFindings(page), at(narrower, second)).toEqual([])
      expect(faults, name).toEqual([])
      await page.close()
    }
  })
})
