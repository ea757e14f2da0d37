import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packInto } from '../../client/packed.ts'
import { run } from '../../suite.ts'

const lockfile = resolve(import.meta.dirname, '../../client/project/package-lock.json')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statline-empty-')))
const quiet = ['--no-audit', '--no-fund', '--prefer-offline']

/** What npm says of a package that does not fit. */
const misfit = /EBADENGINE|ERESOLVE|deprecated|peer dep/i

const emptyProject = '{ "private": true, "type": "module", "devDependencies": { "vite": "8" } }\n'

const page = `import { Client, readFragment, GameStateFragmentDoc } from 'statline-client'
const client = new Client({ url: '/graphql' })
document.title = String(readFragment(GameStateFragmentDoc, null)) + typeof client.query
`

/** Packages beneath `node_modules`, those of a scope each by itself. */
const installed = () =>
  readdirSync(join(folder, 'node_modules'))
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(folder, 'node_modules', name)).map((one) => `${name}/${one}`)
        : [name],
    )

describe('an empty Vite project', () => {
  let before: string[] = []
  let installing = { code: 1, output: '' }

  beforeAll(async () => {
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'package.json'), emptyProject)
    writeFileSync(join(folder, 'index.html'), '<script type="module" src="/src/main.js"></script>\n')
    writeFileSync(join(folder, 'src/main.js'), page)
    // Versions from a lockfile: a registry may name a package's newest version before it has it.
    copyFileSync(lockfile, join(folder, 'package-lock.json'))
    const vite = await run(folder, 'npm', 'install', ...quiet)
    expect(vite.code, vite.output).toBe(0)
    before = installed()
    installing = await run(
      folder,
      'npm',
      'install',
      '--engine-strict',
      ...quiet,
      `./${await packInto(folder)}`,
    )
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('gets one package by the client’s tarball, and no warning', () => {
    expect(installing.code, installing.output).toBe(0)
    expect(installing.output).toMatch(/added 1 package\b/)
    expect(installing.output).not.toMatch(misfit)
    expect(installed().filter((name) => !before.includes(name))).toEqual(['statline-client'])
  })

  it('builds with it, without a warning', async () => {
    const { code, output } = await run(folder, 'node_modules/.bin/vite', 'build')
    expect(code, output).toBe(0)
    expect(output).not.toMatch(/warn/i)
    expect(output).toContain('built in')
  })
})
