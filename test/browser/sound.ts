import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { keep, seriousFindings } from './browser.ts'
import type { Visit } from './browser.ts'

/** Whether nothing sticks out of the screen. */
export const isWithin = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')

/** What holds for whatever a page shows. Leaves the page open. */
export async function expectSound({ page, faults }: Visit, name: string): Promise<void> {
  await keep(page, name)
  expect(await isWithin(page), `${name} is within the screen`).toBe(true)
  expect(await seriousFindings(page), name).toEqual([])
  expect(faults, name).toEqual([])
}
