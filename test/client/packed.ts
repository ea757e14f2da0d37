import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse, resolve } from 'node:path'
import { hashOf } from '../made-once.ts'
import { installOnce, installSuite, run } from '../suite.ts'

const root = resolve(import.meta.dirname, '../..')

/** A project with React, Apollo Client, urql and TanStack Query, and a lockfile of its own. */
export const project = join(import.meta.dirname, 'project')

const installed = join(project, 'node_modules/statline-client')

/** What the tarball is made of. */
const sources = ['src/client', 'schema', 'tsconfig.client.json']

/**
 * Installs the project's packages, and the client as `npm install statline-client.tgz` does, once for a state of its
 * sources. Resolves with why it could not, or null.
 */
export async function installProject(): Promise<string | null> {
  const missing = await installSuite(project)
  if (missing === null) await installOnce(join(installed, `.made-of-${hashOf(sources)}`), installTarball)
  return missing
}

/** Packs the client into a folder. Resolves with the tarball's file name. */
export async function packInto(folder: string): Promise<string> {
  const client = join(root, 'src/client')
  const { code, output } = await run(client, 'npm', 'pack', '--silent', '--pack-destination', folder)
  if (code !== 0) throw new Error(output)
  return output.trim().split('\n').at(-1) ?? ''
}

async function installTarball(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-pack-'))
  const tarball = join(folder, await packInto(folder))
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed)
  const unpacked = await run(folder, 'tar', '-xzf', tarball, '-C', installed, '--strip-components=1')
  if (unpacked.code !== 0) throw new Error(unpacked.output)
  rmSync(folder, { recursive: true })
  writeFileSync(join(installed, `.made-of-${hashOf(sources)}`), '')
}

const built = new Map<string, Promise<void>>()

/**
 * Builds one of the project’s entries for Node, as Vite does for a server, once for all tests of a process. Into a folder of
 * its own, which Vite empties first: several tests build here at the same time.
 */
export function buildEntry(entry: string): Promise<void> {
  const before = built.get(entry)
  if (before) return before
  const building = build(entry)
  built.set(entry, building)
  return building
}

async function build(entry: string): Promise<void> {
  const made = join('dist', parse(entry).name)
  const { code, output } = await run(
    project,
    'node_modules/.bin/vite',
    'build',
    '--ssr',
    entry,
    '--outDir',
    made,
  )
  if (code !== 0) throw new Error(output)
}
