import { beforeAll, describe, expect, it } from 'vitest'
import { allFindings, keep, loaded, missing } from '../browser.ts'
import { pagesOf } from '../sample-day.ts'
import { startSite } from '../site.ts'

let pages: Awaited<ReturnType<typeof pagesOf>>

const widths = [320, 390, 820, 1440] as const
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

  it.each(widths)(
    'is whole and accessible in both themes, %i wide',
    async (width) => {
      for (const [nth, [name, [path, part]]] of Object.entries(pages).entries()) {
        // Half of the pages load in the dark and turn light.
        const schemes = (nth + widths.indexOf(width)) % 2 === 0 ? themes : themes.toReversed()
        const { page, faults } = await site.open(path, {
          colorScheme: schemes[0] ?? 'light',
          width,
        })
        await page.locator(part).first().waitFor()
        await loaded(page)
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          await keep(page, `${name}-${width}-${colorScheme}`)
          const at = `${name} at ${width}, ${colorScheme}`
          expect(await page.evaluate(outside), at).toEqual([])
          expect(
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
            at,
          ).toBeLessThanOrEqual(0)
          expect(await allFindings(page), at).toEqual([])
          expect(faults, at).toEqual([])
        }
        await page.close()
      }
    },
    600_000,
  )
})
