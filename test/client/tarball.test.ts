import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { readDocuments } from '../../src/server/documents.ts'
import { listen } from '../../src/server/listen.ts'
import { basketball } from '../graph/harness.ts'
import { startServer } from '../server.ts'
import { run } from '../suite.ts'
import { fakedTimers, startLivingDay } from './living.ts'
import type { LivingDay } from './living.ts'
import { buildEntry, installProject, project } from './packed.ts'
import { startRestarting } from './restarting.ts'
import type { Followed } from './project/src/followed.ts'

const root = resolve(import.meta.dirname, '../..')
const missing = await installProject()

/** The blocks of a language in the README’s section for frontends. */
function inReadme(language: string): string[] {
  const [, section = ''] =
    /## In a page\n([\s\S]*?)\n## /.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const blocks = section.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))
  return [...blocks].map(([, code = '']) => code)
}

/** Lets the project’s process control the day. Over HTTP, because it has timers of its own. */
async function startControl(day: LivingDay) {
  let points = 100
  const commands: Record<string, () => unknown> = {
    '/forget': () => (day.forget(), day.calls.take()),
    '/day': () => [String(day.games), day.live, String(points + 1)],
    '/calls': () => day.calls.take(),
    async '/score'() {
      day.score((points += 1))
      await day.pass(16_000)
      return [String(points)]
    },
    '/drop': () => day.drop(),
    async '/later'() {
      await day.left()
      await day.pass(120_000)
    },
  }
  const server = createServer((request, response) => {
    const done = Promise.resolve(commands[request.url ?? '']?.())
    done
      .then((told) => response.end(JSON.stringify(told ?? [])))
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a server on a port
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() }
}

/** What a page of trusted documents was told. */
interface Trusted {
  readonly games: number
  readonly ours: number
  readonly sent: readonly string[]
  readonly refused: string
}

const operationOf = (call: string) => call.split(' ')[0]

/** Checks the project's types; what has not changed since the last time is not checked again. */
const types = () => {
  const record = ['--incremental', '--tsBuildInfoFile', join(project, 'dist/.types')]
  return run(project, join(root, 'node_modules/.bin/tsc'), '-p', project, ...record)
}

describe.skipIf(missing)(
  `the packed tarball in a Vite project${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    afterAll(() => rmSync(join(project, 'src/wrong.tsx'), { force: true }))
    afterEach(() => vi.useRealTimers())

    it('resolves the types of every entry point', async () => {
      expect(await types()).toEqual({ code: 0, output: '' })
    })

    it('resolves them as Node does, and each entry point loads there', async () => {
      const file = join(project, 'entries.mts')
      writeFileSync(
        file,
        `import { Client, ScoreboardDocument } from 'statline-client'
import { useScoreboard } from 'statline-client/react'
import * as apollo from 'statline-client/apollo'
import * as urql from 'statline-client/urql'
import * as tanstack from 'statline-client/tanstack'
import { preset } from 'statline-client/codegen'
export const day = new Client().query(ScoreboardDocument, { date: '' }).then(({ data }) => data?.league?.games)
export const hooks = [useScoreboard, apollo.useScoreboard, urql.useScoreboard, tanstack.useScoreboard, preset]
`,
      )
      const compiled = await run(
        project,
        join(root, 'node_modules/.bin/tsc'),
        ...'--module node16 --target es2022 --strict --skipLibCheck --ignoreConfig --outDir dist'.split(' '),
        file,
      )
      rmSync(file)
      expect(compiled).toEqual({ code: 0, output: '' })
      const entries = ['', '/react', '/apollo', '/urql', '/tanstack'].map((path) => `statline-client${path}`)
      const loading = `for (const name of ${JSON.stringify(entries)}) await import(name)`
      expect(await run(project, process.execPath, '--input-type=module', '-e', loading)).toEqual({
        code: 0,
        output: '',
      })
    })

    it('does not compile a field that was not asked for, or only by a fragment', async () => {
      writeFileSync(
        join(project, 'src/wrong.tsx'),
        `import { useLiveScores, useScoreboard } from 'statline-client/react'
export const useWrong = () => useScoreboard({ date: '' }).data?.league?.gamez
export const useMasked = () => useLiveScores({ date: '' }).data.map(({ scores }) => scores.homeScore)
`,
      )
      const { code, output } = await types()
      rmSync(join(project, 'src/wrong.tsx'))
      expect(code).not.toBe(0)
      expect(output).toContain("'gamez' does not exist")
      expect(output).toContain("'homeScore' does not exist")
    })

    it('compiles the page that the README shows for each client library', async () => {
      const pages = inReadme('tsx')
      expect(pages).toHaveLength(4)
      const files = pages.map((_, index) => join(project, `src/readme-${index}.tsx`))
      files.forEach((file, index) => writeFileSync(file, pages[index] ?? ''))
      const checked = await types()
      for (const file of files) rmSync(file)
      expect(checked).toEqual({ code: 0, output: '' })
    })

    it('compiles what docs/client.md shows, but for other frameworks', async () => {
      const shown = readFileSync(join(root, 'docs/client.md'), 'utf8')
      const blocks = [...shown.matchAll(/```tsx?\n([\s\S]*?)```/g)].map(([, code = '']) => code)
      const pages = blocks.filter((code) => !/from '(vue|svelte)/.test(code))
      expect([blocks.length, pages.length]).toEqual([8, 6])
      const folder = join(project, 'src/shown')
      mkdirSync(folder, { recursive: true })
      pages.forEach((code, at) => writeFileSync(join(folder, `page-${at}.tsx`), code))
      writeFileSync(join(folder, 'games.tsx'), "export const Games = () => 'games'\n")
      // The next test generates it, with its types.
      writeFileSync(join(folder, 'graphql.ts'), 'export const graphql = (document: string) => document\n')
      writeFileSync(
        join(folder, 'given.d.ts'),
        `declare const keyOfVisitor: () => Promise<string>
declare const show: (stale: Date | null) => void
`,
      )
      const checked = await types()
      rmSync(folder, { recursive: true })
      expect(checked).toEqual({ code: 0, output: '' })
    })

    describe('a team’s own operations, by the README’s configuration', () => {
      const folder = join(project, 'src/own')
      const made = join(project, 'src/graphql')
      const configured = join(project, 'codegen.yml')
      const generate = () => run(project, join(root, 'node_modules/.bin/graphql-codegen'))
      const own = (fields: string) => `import { graphql } from '../graphql'
import type { ResultOf } from '@graphql-typed-document-node/core'
export const document = graphql(\`
  query OwnScores($date: Date!) { league { games(date: $date) { ${fields} homeTeam { ...CsvTeam } } } }
  fragment CsvTeam on Team { name }
\`)
type Game = NonNullable<NonNullable<ResultOf<typeof document>['league']>['games']>[number]
export const start = (game: Game): string | null => game.startDatetime
`
      const asking = `import { Client, ScoreboardDocument } from 'statline-client'
import { document } from './scores.ts'
const sent = []
const spy = (url, init) => (sent.push(init.body), fetch(url, init))
const client = new Client({ url: process.argv[2], trusted: true, fetch: spy })
const own = await client.query(document, { date: '2026-02-14' })
const standard = await client.query(ScoreboardDocument, { date: '2026-02-14' })
const other = await client.query('{ organizations { name } }', {})
console.log(JSON.stringify({ sent: sent.slice(0, 2), games: own.data?.league.games.length, ours: standard.data?.league.games.length, refused: other.errors[0]?.extensions.code }))
`
      const wrong = `
export const score = (game: Game) => game.homeScore
export const masked = (game: Game) => game.homeTeam?.name
export const moment = (game: Game): Date | null => game.startDatetime
`

      beforeAll(() => {
        mkdirSync(folder)
        writeFileSync(configured, inReadme('yaml').join(''))
      })
      afterAll(() =>
        [folder, made, configured].forEach((path) => rmSync(path, { recursive: true, force: true })),
      )

      it('are typed to the last field by three lines', async () => {
        expect(inReadme('yaml').join('').trim().split('\n')).toHaveLength(3)
        writeFileSync(join(folder, 'scores.ts'), own('startDatetime'))
        const { code, output } = await generate()
        expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
        expect(await types()).toEqual({ code: 0, output: '' })
      })

      it('are trusted by their hashes, with the package’s own, once the server has the manifest that is written with them', async () => {
        writeFileSync(join(folder, 'scores.ts'), own('startDatetime'))
        expect(await generate()).toMatchObject({ code: 0 })
        writeFileSync(join(folder, 'ask.js'), asking)
        await buildEntry('src/own/ask.js')
        const { sample, close } = await startServer()
        const { upstream, calls } = sample.graph()
        const documents = readDocuments(join(made, 'persisted-documents.json'), true)
        const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, documents })
        const trusting = await listen((request, response) => app(request, response), '127.0.0.1', 0)
        const asked = await run(project, process.execPath, 'dist/ask/ask.js', `${trusting.url}/graphql`)
        await trusting.close()
        await close()
        expect(asked.code, asked.output).toBe(0)
        const { games, ours, sent, refused } = JSON.parse(asked.output) as Trusted
        expect(games).toBeGreaterThan(5)
        expect(ours).toBe(games)
        expect(sent.filter((body) => /OwnScores|Scoreboard/.test(body))).toEqual([])
        expect(refused).toBe('BAD_USER_INPUT')
        // Both documents show the same day: it is bought once. The refused one costs nothing.
        expect(calls.take().filter((call) => call.startsWith('game/getGames'))).toHaveLength(1)
      })

      it('do not compile with a field that was not asked for, or only by a fragment, or as another type', async () => {
        writeFileSync(join(folder, 'scores.ts'), own('startDatetime') + wrong)
        const { output } = await types()
        expect(output).toContain("'homeScore' does not exist")
        expect(output).toContain("'name' does not exist")
        expect(output).toContain("'string' is not assignable to type 'Date'")
      })

      it('are not generated with a field that the graph does not have', async () => {
        writeFileSync(join(folder, 'scores.ts'), own('startDatetme'))
        const { code, output } = await generate()
        expect(code).not.toBe(0)
        expect(output).toContain('Cannot query field "startDatetme" on type "Game"')
      })
    })

    it('shows a day’s games through React alone, Apollo Client, urql and TanStack Query', async () => {
      await buildEntry('src/render.tsx')
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

    it('asks again by the button of an error boundary, and shows the day that one query brings', async () => {
      await buildEntry('src/boundary.tsx')
      const day = await startLivingDay(null)
      const { code, output } = await run(project, process.execPath, 'boundary.mjs', day.url)
      const calls = day.calls.take().map(operationOf)
      await day.close()
      expect(code, output).toBe(0)
      // Each press sends one query, for both components.
      expect(JSON.parse(output)).toEqual([
        'UnreachableError 1',
        'AccessError 2',
        `${day.games} games${day.games} games 3`,
      ])
      expect(calls.toSorted()).toEqual([
        'conference/read',
        'game/getGames',
        'game/getScores',
        'organization/read',
      ])
    })

    it('polls with the age that it accepts, as each other query of the hook, and not with a pause of 0', async () => {
      await buildEntry('src/polls.tsx')
      const day = await startLivingDay()
      const { code, output } = await run(project, process.execPath, 'polls.mjs', day.url)
      const calls = day.calls.take().map(operationOf)
      await day.close()
      expect(code, output).toBe(0)
      expect(JSON.parse(output)).toEqual({ ages: [600, 600, 600, 600], unpolled: 1 })
      // Each day is bought once, and the polls' rows are fresh.
      const ofDays = calls.filter((operation) => operation?.startsWith('game/')).toSorted()
      expect(ofDays).toEqual(['game/getGames', 'game/getGames', 'game/getScores', 'game/getScores'])
      // The two days' conferences are read together, or each when its games are there.
      const others = new Set(calls.filter((operation) => !operation?.startsWith('game/')))
      expect([...others].toSorted()).toEqual(['conference/read', 'organization/read'])
      expect(calls.length).toBeLessThanOrEqual(7)
    })

    it('is shown through urql also where its first stream does not open: it is given up after 15 seconds', async () => {
      await buildEntry('src/live.tsx')
      const day = await startLivingDay()
      const { code, output } = await run(project, process.execPath, 'late.mjs', day.url, String(day.games))
      const calls = day.calls.take().map(operationOf)
      await day.close()
      expect(code, output).toBe(0)
      expect(JSON.parse(output)).toEqual({ tries: 2, isCut: true, games: day.games })
      expect(calls.toSorted()).toEqual(['game/getGames', 'game/getScores'])
    })

    it('ends loading on a day without games through each, and says of an old state how old it is', async () => {
      await buildEntry('src/quiet.tsx')
      const day = await startLivingDay()
      const { code, output } = await run(project, process.execPath, 'quiet.mjs', day.url, String(day.games))
      const calls = day.calls.take().map(operationOf)
      await day.close()
      expect(code, output).toBe(0)
      const both = 'no games'.repeat(2)
      expect(JSON.parse(output)).toEqual({
        quiet: { react: both, apollo: both, urql: both, tanstack: both },
        again: { react: 'old', tanstack: 'old' },
      })
      const ofDay = ['game/getGames', 'game/getScores']
      expect(calls.toSorted()).toEqual([...ofDay, ...ofDay].toSorted())
    })

    it('is heard again through each after its server was restarted, by SIGTERM and by SIGKILL', async () => {
      await buildEntry('src/live.tsx')
      const server = await startRestarting()
      const { code, output } = await run(
        project,
        process.execPath,
        'restart.mjs',
        server.url,
        server.control,
      ).finally(server.close)
      expect(code, output).toBe(0)
      const shown = [100, 101, 102].map((points) => `${server.live} ${points}`)
      expect(JSON.parse(output)).toEqual({ react: shown, apollo: shown, urql: shown, tanstack: shown })
      expect(server.ends).toEqual([0, 'SIGKILL'])
    })

    it('follows a day through each, again where the connection breaks, at no more than the server’s own looks, which end when the page is left', async () => {
      await buildEntry('src/live.tsx')
      vi.useFakeTimers(fakedTimers)
      const day = await startLivingDay()
      const control = await startControl(day)
      const { code, output } = await run(project, process.execPath, 'live.mjs', day.url, control.url)
      control.close()
      await day.close()
      expect(code, output).toBe(0)
      const followed = JSON.parse(output) as Record<string, Followed>
      expect(Object.keys(followed)).toEqual(['react', 'apollo', 'urql', 'tanstack'])
      Object.values(followed).forEach(
        ({ atFirst, firstCalls, games, nextCalls, changed, again, callsAfter }, at) => {
          expect(atFirst).toBe('<ul></ul>')
          expect(games).toBe(day.games)
          expect(changed).toBe(`${day.live} ${101 + 2 * at}`)
          expect(again).toEqual([`${day.live} ${102 + 2 * at}`, ''])
          // Apollo’s page shows a scoreboard too, with two names: of the day they share each call.
          const named = Object.keys(followed)[at] === 'apollo' ? ['conference/read', 'organization/read'] : []
          const first = ['game/getGames', 'game/getScores', ...named]
          expect(firstCalls.map(operationOf).toSorted()).toEqual(first.toSorted())
          // The running game's row and its line's movements, which are smaller than the day's scores.
          expect(nextCalls.map(operationOf).toSorted()).toEqual(['game/read', 'odds/read'])
          expect(callsAfter).toEqual([])
        },
      )
    })
  },
)
