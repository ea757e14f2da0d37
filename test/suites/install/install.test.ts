import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packInto } from '../../client/packed.ts'
import { startServer } from '../../server.ts'
import { run } from '../../suite.ts'

const root = resolve(import.meta.dirname, '../../..')
const project = join(root, 'test/client/project')

/** Outside the repository, whose packages would hide a missing dependency of the tarball. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statline-install-')))

interface Day {
  readonly league: { readonly games: readonly { readonly homeTeam: { readonly name: string } }[] }
}

const succeed = async (program: string, ...args: string[]) => {
  const { code, output } = await run(folder, program, ...args)
  expect(code, output).toBe(0)
  return output
}

describe('the packed tarball, installed by npm in a project of its own', () => {
  beforeAll(async () => {
    cpSync(project, folder, {
      recursive: true,
      // The lockfile comes along: a registry may name a package's newest version before it has it.
      // Another test may be writing files of its own there.
      filter: (path) =>
        !/node_modules|dist$|entries|codegen|src\/(own|shown|graphql|wrong|readme)/.test(path),
    })
    // The tarball has to ask for them itself.
    for (const name of ['graphql', '@graphql-typed-document-node/core'])
      await succeed('npm', 'pkg', 'delete', `dependencies.${name}`)
    await succeed(
      'npm',
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      `./${await packInto(folder)}`,
    )
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('brings all that its types need', async () => {
    expect(await succeed(join(root, 'node_modules/.bin/tsc'), '-p', folder)).toBe('')
  })

  it('shows a day’s games through each client', async () => {
    await succeed('node_modules/.bin/vite', 'build', '--ssr', 'src/render.tsx', '--outDir', 'dist/render')
    const server = await startServer()
    const rendered = await run(folder, process.execPath, 'render.mjs', `${server.url}/graphql`)
    const { data } = await server.sample
      .graph()
      .query<Day>('{ league { games(date: "2026-02-14") { homeTeam { name } } } }')
    await server.close()
    const teams = data.league.games.map(({ homeTeam }) => homeTeam.name)
    expect(teams.length).toBeGreaterThan(3)
    expect(JSON.parse(rendered.output)).toEqual({ react: teams, apollo: teams, urql: teams, tanstack: teams })
  })
})
