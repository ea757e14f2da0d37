import { resolve } from 'node:path'
import { installTarball } from './client/packed.ts'
import { installSuite } from './suite.ts'

/** What the suites bring along, each folder with its own lockfile. */
const folders = [
  'examples/supergraph',
  'test/browser/suites',
  'test/client/project',
  'test/federation',
  'test/outside',
  'test/suites/compatibility',
]

/**
 * Installs and packs what several suites share before any of them runs. Throws if it cannot, because the
 * suites were requested.
 */
export default async function setup(): Promise<void> {
  for (const folder of folders) {
    const missing = await installSuite(resolve(import.meta.dirname, '..', folder))
    if (missing) throw new Error(`${folder}: ${missing}`)
  }
  await installTarball()
}
