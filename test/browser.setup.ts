import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installSuite } from './suite.ts'

/** How a real Chromium is started, or why none can be had. */
export type Chromium =
  | { readonly executablePath: string; readonly args: string[] }
  | { readonly missing: string }

declare module 'vitest' {
  interface ProvidedContext {
    chromium: Chromium
  }
}

const folder = join(import.meta.dirname, 'browser')
/** Debian's. The headless shell needs half the processor time: it has no window whose parts are pages too. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const flags = ['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--disable-dev-shm-usage']

/** Debian’s Chromium where there is one, else the one that npm ships. */
async function chromium(): Promise<Chromium> {
  const missing = await installSuite(folder)
  if (missing) return { missing }
  const found = installed.find((path) => existsSync(path))
  if (found !== undefined) return { executablePath: found, args: flags }
  const require = createRequire(join(folder, 'package.json'))
  const { default: shipped } = (await import(require.resolve('@sparticuz/chromium'))) as {
    default: { executablePath(): Promise<string> }
  }
  const executablePath = await shipped.executablePath()
  return { executablePath, args: [...flags, '--no-zygote', "--headless='shell'"] }
}

/** Installs and unpacks the browser before any test, because several files would do it in parallel. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('chromium', await chromium())
}
