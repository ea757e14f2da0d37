import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packInto } from '../../client/packed.ts'
import { installSuite, run } from '../../suite.ts'

const root = resolve(import.meta.dirname, '../../..')
const missing = await installSuite(import.meta.dirname)
const pnpm = join(import.meta.dirname, 'node_modules/.bin/pnpm')
const project = join(import.meta.dirname, 'project')

/** Outside the repository, whose packages would hide one that the project lacks. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statline-pnpm-')))

const [, section = ''] =
  /### Your own operations\n([\s\S]*?)\n## /.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
const [, configuration = ''] = /```yaml\n([\s\S]*?)```/.exec(section) ?? []
const [, installed = ''] = /`npm i -D ([^`]*)`/.exec(section) ?? []

const page = `import { Client, ScoreboardDocument } from 'statline-client'
import { graphql } from './graphql'

const Scores = graphql(\`
  query Scores($date: Date!) { league { games(date: $date) { homeScore ...Clock } } }
  fragment Clock on Game { clock }
\`)
const client = new Client()
const { data } = await client.query(Scores, { date: '2026-02-14' })
export const score: number | null | undefined = data?.league?.games?.[0]?.homeScore
export const standard = client.query(ScoreboardDocument, {})
`

const settings = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
  },
  include: ['src'],
}

const succeed = async (program: string, ...args: string[]) => {
  const { code, output } = await run(folder, program, ...args)
  expect(code, output).toBe(0)
}

describe.skipIf(missing)(`a project of pnpm${missing ? ` (skipped: ${missing})` : ''}`, () => {
  beforeAll(async () => {
    // With its lockfile: a registry may name a package's newest version before it has it.
    cpSync(project, folder, { recursive: true })
    await succeed(pnpm, 'install', '--frozen-lockfile', '--prefer-offline')
    await succeed(pnpm, 'add', '--prefer-offline', `./${await packInto(folder)}`)
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'codegen.yml'), configuration)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    writeFileSync(join(folder, 'src/scores.ts'), page)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has what the README installs for documents of its own, and no more', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      devDependencies: Readonly<Record<string, string>>
    }
    expect(installed.split(' ').toSorted()).toEqual(Object.keys(devDependencies))
  })

  it('compiles with the documents that are generated in it', async () => {
    await succeed(pnpm, 'exec', 'graphql-codegen')
    expect(await run(folder, join(root, 'node_modules/.bin/tsc'), '-p', folder)).toEqual({
      code: 0,
      output: '',
    })
  })
})
