import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { installSuite } from '../../suite.ts'
import { patience } from '../../patience.ts'

const folder = import.meta.dirname
const debian = '/usr/bin/firefox-esr'

/** Why Debian’s Firefox cannot be had, or null. */
export const missingFirefox = existsSync(debian)
  ? await installSuite(folder)
  : `there is no ${debian} (Debian’s package firefox-esr)`

/** A real Firefox, driven by WebDriver BiDi. */
export async function launchFirefox(): Promise<Browser> {
  const require = createRequire(join(folder, 'package.json'))
  const puppeteer = require('puppeteer-core') as typeof import('puppeteer-core')
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: debian,
    headless: true,
    timeout: patience,
    protocolTimeout: patience,
  })
}
