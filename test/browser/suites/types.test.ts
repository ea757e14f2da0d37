import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installSuite, run } from '../../suite.ts'
import { missing as noBrowser } from '../browser.ts'

const root = join(import.meta.dirname, '../../..')
// `npm run types` leaves these tests out: the packages whose types they need are installed with the suites
// alone.
const missing = noBrowser ?? (await installSuite(import.meta.dirname))

it.skipIf(missing)(
  `the types of the tests with browsers are sound${missing ? ` (skipped: ${missing})` : ''}`,
  async () => {
    const { code, output } = await run(root, join(root, 'node_modules/.bin/tsc'), '-p', 'test/browser')
    expect(code, output).toBe(0)
  },
)
