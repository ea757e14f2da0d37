import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readDocuments } from '../../../src/server/documents.ts'
import { fakedTimers, startLivingDay } from '../../client/living.ts'
import type { LivingDay } from '../../client/living.ts'
import { installProject } from '../../client/packed.ts'
import { startServer } from '../../server.ts'
import type { Server } from '../../server.ts'
import { run } from '../../suite.ts'
import { launch, loaded, missing as noBrowser, visit } from '../browser.ts'
import { finishedGame, gamesOfDay } from '../sample-day.ts'
import { buildPages, slugOf, snippets } from './snippets.ts'
import type { Mount } from './snippets.ts'

const tsc = resolve(import.meta.dirname, '../../../node_modules/.bin/tsc')
const missing = noBrowser ?? (await installProject())

const root = `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
const show = (page) => createRoot(document.body.appendChild(document.createElement('main'))).render(<StrictMode>{page}</StrictMode>)
`

/** A page whose default export is all of it. */
const app: Mount = { main: `${root}import App from './page.tsx'\nshow(<App />)\n` }

const leaders: Mount = {
  main: `${root}import { Client } from 'statline-client'
import { StatlineProvider } from 'statline-client/react'
import { Leaders } from './page.tsx'
const client = new Client({ url: new URLSearchParams(location.search).get('graph') })
show(<StatlineProvider client={client}><Leaders /></StatlineProvider>)
`,
}

const apolloLeaders: Mount = {
  main: `${root}import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { cacheOptions } from 'statline-client/apollo'
import { Leaders } from './page.tsx'
const link = new HttpLink({ uri: new URLSearchParams(location.search).get('graph') })
const client = new ApolloClient({ link, cache: new InMemoryCache(cacheOptions) })
show(<ApolloProvider client={client}><Leaders /></ApolloProvider>)
`,
}

/** Lines for a page, with what is shown by them. */
const script = (tail: string, given = ''): Mount => ({ main: `${given}await import('./page.tsx')\n`, tail })

/** Pages of a day, each with what it asks. TanStack Query asks again where React's strict mode mounts it twice. */
const days: Readonly<Record<string, readonly string[]>> = {
  'README.md, React alone': ['LiveScores', 'Scoreboard'],
  'README.md, Apollo Client': ['LiveScores', 'Scoreboard'],
  'README.md, urql': ['LiveScores', 'Scoreboard'],
  'README.md, TanStack Query': ['LiveScores', 'Scoreboard', 'Scoreboard'],
  'src/client/README.md, statline-client': ['LiveScores', 'Scoreboard'],
}

const mounts: Readonly<Record<string, Mount>> = {
  ...Object.fromEntries(Object.keys(days).map((name) => [name, app])),
  'docs/client.md, Lists 1': leaders,
  'docs/client.md, Lists 2': apolloLeaders,
  'docs/client.md, Queries': script(
    'document.body.append(JSON.stringify({ expected: price.expected, games: data.league.games.length, errors, tokens: usage.tokens, stale }))',
    "globalThis.keyOfVisitor = async () => 'sample-paid'\n",
  ),
  'docs/client.md, Live': script(
    `client.subscribe({ query: 'subscription Scores { scores(date: "2026-02-14") { gameId } }' }, { next: ({ data }) => document.body.append(data.scores.gameId + ' '), error() {}, complete() {} })`,
    "globalThis.show = (stale) => document.body.append('stale ' + stale)\n",
  ),
  'docs/client.md, Documents of your own': script(
    `const { Client } = await import('statline-client')
const { data } = await new Client({ url: new URLSearchParams(location.search).get('graph') }).query(Scores, { date: '2026-02-14' })
document.body.append(data.league.games.length)`,
  ),
  'docs/trusted-documents.md, 3. Send hashes': script('document.body.append(data.league.games.length)'),
  'docs/how-to.md, Without a framework': script(''),
}

/** Code that is not run here, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/client.md, Any framework 1':
    'examples/vue-and-svelte has it, which frameworks.test.ts runs in a page',
  'docs/client.md, Any framework 2':
    'examples/vue-and-svelte has it, which frameworks.test.ts runs in a page',
  'docs/client.md, Next.js': 'runs on a server: examples/next is such a page, which next.test.ts runs',
  'README.md, Source layout': 'a list of folders',
  'docs/conformance.md, Conformance': 'a command of a terminal',
  'docs/decisions/kept-rows.md, The path of one row': 'a drawing',
}

/** Blocks in these languages are no code of a page. */
const languages: Readonly<Record<string, string>> = {
  sh: 'commands of a terminal',
  yaml: 'files of other programs',
  json: 'bodies and files',
  jsonc: 'an answer, which test/graph/readme.test.ts compares',
  nginx: 'the configuration of a server, which test/suites/nginx runs',
  csv: 'files of a season, which test/service/import reads',
  mermaid: 'a drawing',
}

const inLanguage = (language: string) => snippets.filter((one) => one.language === language)
const [queries, whole] = [inLanguage('graphql'), inLanguage('html')]
const scripts = snippets.filter(
  ({ language }) => !(language in languages) && language !== 'graphql' && language !== 'html',
)
const mounted = new Map(
  scripts.flatMap((snippet) =>
    mounts[snippet.name] ? [[snippet, mounts[snippet.name] as Mount] as const] : [],
  ),
)

let folder: string
let browser: Browser
let site: string

const pages = createServer((asked, answer) => {
  const { pathname } = new URL(asked.url ?? '/', 'http://127.0.0.1')
  const file = join(folder, pathname)
  if (!existsSync(file)) return void answer.writeHead(404).end()
  const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
  return void answer.setHeader('content-type', type).end(readFileSync(file))
})

/** The name of the operation in a request's body, or that it has a hash alone. */
function operationIn(body: string | null): string {
  const { query = '' } = JSON.parse(body ?? '{}') as { query?: string }
  return /(?:query|subscription) (\w+)/.exec(query)?.[1] ?? (query === '' ? 'a hash' : 'a query')
}

/** Opens a snippet's page. `asked` are the operations that it sends, in their order. */
async function open(name: string, graph: string, prepare: (page: Page) => Promise<unknown> = async () => {}) {
  const { page, faults } = await visit(browser, 'about:blank')
  const [asked, logged, sockets]: [string[], string[], string[]] = [[], [], []]
  page.on('console', (message) => message.type() === 'log' && logged.push(message.text()))
  page.on('websocket', (socket) => sockets.push(socket.url()))
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(operationIn(request.postData()))
  })
  await prepare(page)
  await page.goto(`${site}/${slugOf(name)}.html?graph=${encodeURIComponent(graph)}`)
  // Every page asks another origin than its own.
  const own = () => faults.filter((fault) => !fault.startsWith('asked '))
  return { page, asked, logged, sockets: () => sockets.length, faults: own }
}

/** What a scoreboard costs. */
const ofDay = ['conference/read', 'game/getGames', 'game/getScores', 'organization/read']

const operationsOf = ({ calls }: Pick<Server, 'calls'>) =>
  calls
    .take()
    .map((call) => call.split(' ')[0])
    .toSorted()

describe.skipIf(missing)(
  `the snippets of the documentation${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    beforeAll(async () => {
      browser = await launch()
      folder = await buildPages(mounted, whole)
      await once(pages.listen(0, '127.0.0.1'), 'listening')
      site = `http://127.0.0.1:${(pages.address() as AddressInfo).port}` // a server on a port
    })
    afterAll(async () => {
      await browser?.close()
      pages.closeAllConnections()
      pages.close()
      rmSync(folder, { recursive: true, force: true })
    })

    it('are each run in a page here, or it is said why not', () => {
      const told = [...Object.keys(mounts), ...Object.keys(elsewhere)]
      expect(scripts.map(({ name }) => name).toSorted()).toEqual(told.toSorted())
      expect(whole.map(({ name }) => name)).toEqual(["docs/quickstart.md, 4. Show a day's games"])
      expect(queries.length).toBeGreaterThan(0)
    })

    it('compile', async () => {
      expect(await run(folder, tsc, '-p', folder)).toEqual({ code: 0, output: '' })
    })

    describe.each(Object.entries(days))('%s', (name, asks) => {
      let day: LivingDay
      beforeAll(async () => {
        day = await startLivingDay()
      })
      // The browser's driver lives here too: its time goes on by itself.
      beforeEach(() => {
        vi.useFakeTimers({ ...fakedTimers, shouldAdvanceTime: true })
        day.forget()
        day.calls.take()
      })
      afterEach(() => vi.useRealTimers())
      afterAll(() => day.close())

      it('shows a day by one query and one stream, and follows it', async () => {
        const { page, asked, faults } = await open(name, day.url)
        await expect.poll(() => page.locator('li').count()).toBe(day.games)
        await loaded(page)
        expect(asked.toSorted()).toEqual(asks)
        expect(operationsOf(day)).toEqual(ofDay)
        day.score(181)
        await day.pass(16_000)
        await page.locator('li').filter({ hasText: '181' }).waitFor()
        expect(operationsOf(day)).toEqual(['game/read', 'odds/read'])
        expect(asked).toHaveLength(asks.length)
        expect(await page.locator('li').count()).toBe(day.games)
        expect(faults()).toEqual([])
        await page.close()
      })

      it('says what is wrong', async () => {
        day.up(false)
        const { page } = await open(name, day.url)
        await page.getByText('The statistics service cannot be reached').waitFor()
        await page.close()
        day.up(true)
      })
    })

    describe('on a day without games', () => {
      let quiet: Server
      beforeAll(async () => {
        quiet = await startServer({ clock: () => Date.parse('2026-07-01T20:00:00Z') })
      })
      beforeEach(() => {
        quiet.forget()
        quiet.calls.take()
      })
      afterAll(() => quiet.close())

      it.each(Object.keys(days))('%s says so before its stream has said anything', async (name) => {
        const { page } = await open(name, `${quiet.url}/graphql`, (page) =>
          page.route('**/graphql', (route) =>
            operationIn(route.request().postData()) === 'LiveScores' ? undefined : route.continue(),
          ),
        )
        await page.getByText('No games today').waitFor()
        expect(operationsOf(quiet)).toEqual(['game/getGames', 'game/getScores', 'organization/read'])
        await page.close()
      })
    })

    describe('that ask a server', () => {
      let server: Server
      let games: number
      beforeAll(async () => {
        const trusted = join(
          folder,
          'src',
          slugOf('docs/trusted-documents.md, 3. Send hashes'),
          'graphql/persisted-documents.json',
        )
        server = await startServer({ documents: readDocuments(trusted, false) })
        games = (await gamesOfDay(server)).length
      })
      beforeEach(() => {
        server.forget()
        server.calls.take()
      })
      afterAll(() => server.close())
      const graph = () => `${server.url}/graphql`

      it.each(['docs/client.md, Lists 1', 'docs/client.md, Lists 2'])(
        '%s shows a page of a list by one query, and another when the reader asks for it',
        async (name) => {
          const { page, asked, faults } = await open(name, graph())
          await expect.poll(() => page.locator('li').count()).toBe(25)
          await loaded(page)
          expect(asked).toEqual(['Leaderboard'])
          expect(operationsOf(server)).toEqual(['elo/get', 'elo/get', 'ranking/download', 'team/read'])
          await page.getByRole('button', { name: 'More' }).click()
          // The league has no more.
          await expect.poll(() => page.locator('li').count()).toBe(40)
          await loaded(page)
          expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0)
          expect(asked).toEqual(['Leaderboard', 'Leaderboard'])
          expect(faults()).toEqual([])
          await page.close()
        },
      )

      it('asks for a price, and for a day within a limit', async () => {
        const { page, asked, faults } = await open('docs/client.md, Queries', graph())
        await page.getByText('expected').waitFor()
        const shown: unknown = JSON.parse(await page.locator('body').innerText())
        expect(shown).toEqual({
          expected: expect.any(Number),
          games,
          errors: [],
          tokens: expect.any(Number),
          stale: null,
        })
        expect(asked).toEqual(['Scoreboard', 'Scoreboard'])
        expect(operationsOf(server)).toEqual(ofDay)
        expect(faults()).toEqual([])
        await page.close()
      })

      it('follows a day over one WebSocket of graphql-ws', async () => {
        const { page, asked, sockets } = await open('docs/client.md, Live', graph())
        await expect
          .poll(async () => (await page.locator('body').innerText()).trim().split(' ').length)
          .toBe(games)
        expect([asked.length, sockets()]).toEqual([0, 1])
        expect(operationsOf(server)).toEqual(['game/getScores'])
        await page.close()
      })

      it('asks and follows without a framework', async () => {
        const { page, asked, logged } = await open('docs/how-to.md, Without a framework', graph())
        // Each game, the bill, and each game’s event.
        await expect.poll(() => logged.length).toBe(games + 1 + games)
        expect(asked).toEqual(['Scoreboard', 'LiveScores'])
        expect(operationsOf(server)).toEqual(ofDay)
        await page.close()
      })

      it.each([
        ['docs/client.md, Documents of your own', 'Scores'],
        ['docs/trusted-documents.md, 3. Send hashes', 'a hash'],
      ])('%s asks for a document of its own, once', async (name, sent) => {
        const { page, asked, faults } = await open(name, graph())
        await page.getByText(String(games)).waitFor()
        expect(asked).toEqual([sent])
        expect(operationsOf(server)).toEqual(['game/getScores'])
        expect(faults()).toEqual([])
        await page.close()
      })

      it('shows today’s games in a page without any package', async () => {
        const [{ name } = { name: '' }] = whole
        const { page, asked } = await open(name, graph())
        await expect.poll(() => page.locator('li').count()).toBe(games)
        expect(asked).toEqual(['Games'])
        expect(operationsOf(server)).toEqual(['game/getGames'])
        await page.close()
      })

      it('answers every query from a page', async () => {
        const { gameId, season, homeTeam, playerId } = await finishedGame(server)
        const filled = (code: string) =>
          code
            .replaceAll('TEAM_ID', `"${homeTeam.teamId}"`)
            .replaceAll('SEASON', String(season))
            .replaceAll('player(id: "…")', `player(id: "${playerId}")`)
            .replaceAll('"…", …', `"${gameId}"`)
            .replaceAll('"…"', `"${gameId}"`)
        const { page } = await open('docs/how-to.md, Without a framework', 'about:blank')
        for (const { name, code } of queries) {
          server.forget()
          server.calls.take()
          const { data, errors } = await page.evaluate(
            async ([url, query]) => {
              const headers = { 'content-type': 'application/json' }
              const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
              return (await answer.json()) as { data?: object; errors?: object[] }
            },
            [graph(), filled(code)] as const,
          )
          expect(errors, name).toBeUndefined()
          expect(JSON.stringify(data).length, name).toBeGreaterThan(50)
          expect(server.calls.take().length, name).toBeLessThanOrEqual(5)
        }
        await page.close()
      })
    })
  },
)
