import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'
import { installSuite, run } from '../suite.ts'

const root = resolve(import.meta.dirname, '../..')
const project = join(import.meta.dirname, 'project')
const missing = await installSuite(project)

/** Packs the repository and unpacks it where the project finds it: what `npm install statline.tgz` does, without its servers. */
async function installTarball(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-pack-'))
  const packed = await run(root, 'npm', 'pack', '--silent', '--pack-destination', folder)
  expect(packed, packed.output).toMatchObject({ code: 0 })
  const installed = join(project, 'node_modules/statline')
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed)
  const tarball = join(folder, packed.output.trim().split('\n').at(-1) ?? '')
  expect(await run(folder, 'tar', '-xzf', tarball, '-C', installed, '--strip-components=1')).toMatchObject({
    code: 0,
  })
  rmSync(folder, { recursive: true })
}

const types = () => run(project, join(root, 'node_modules/.bin/tsc'), '-p', project)

describe.skipIf(missing)(
  `the packed tarball in a Vite project${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    beforeAll(installTarball)
    afterAll(() => rmSync(join(project, 'src/wrong.tsx'), { force: true }))

    it('resolves the types of every entry point', async () => {
      expect(await types()).toEqual({ code: 0, output: '' })
    })

    it('does not compile a field that was not asked for', async () => {
      writeFileSync(
        join(project, 'src/wrong.tsx'),
        `import { useScoreboard } from 'statline/client'\nexport const useWrong = () => useScoreboard({ date: '' }).data?.league?.gamez\n`,
      )
      const { code, output } = await types()
      rmSync(join(project, 'src/wrong.tsx'))
      expect(code).not.toBe(0)
      expect(output).toContain("'gamez' does not exist")
    })

    it('gives a team’s own operations their types by three lines of configuration', async () => {
      const configured = join(project, 'own.codegen.ts')
      writeFileSync(
        configured,
        `export default {
  schema: 'node_modules/statline/schema/schema.graphql',
  documents: '*.graphql',
  generates: { 'own/': { preset: 'client', presetConfig: { gqlTagName: 'graphql' } } },
}
`,
      )
      const { code, output } = await run(
        project,
        join(root, 'node_modules/.bin/graphql-codegen'),
        '--config',
        configured,
      )
      rmSync(configured)
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
      expect(readFileSync(join(project, 'own/graphql.ts'), 'utf8')).toMatch(
        /OwnScoresQuery = .*homeScore: number \| null/,
      )
      rmSync(join(project, 'own'), { recursive: true })
    })

    it('shows a day’s games through React alone, Apollo Client, urql and TanStack Query', async () => {
      const built = await run(project, 'node_modules/.bin/vite', 'build', '--ssr', 'src/render.tsx')
      expect(built, built.output).toMatchObject({ code: 0 })
      const server = await startServer()
      const rendered = await run(project, process.execPath, 'render.mjs', `${server.url}/graphql`)
      const { data } = await server.sample
        .graph()
        .query<{ league: { games: { homeTeam: { name: string } }[] } }>(
          '{ league { games(date: "2026-02-14") { homeTeam { name } } } }',
        )
      await server.close()
      const teams = data.league.games.map(({ homeTeam }) => homeTeam.name)
      expect(teams.length).toBeGreaterThan(3)
      expect(JSON.parse(rendered.output)).toEqual({
        react: teams,
        apollo: teams,
        urql: teams,
        tanstack: teams,
      })
    })
  },
)
