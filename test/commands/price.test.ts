import { mkdirSync, mkdtempSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesOf } from '../../src/commands/files.ts'
import { price } from '../../src/commands/price.ts'
import { UsageError } from '../../src/commands/usage-error.ts'
import { readSizes, writeSizes } from '../../src/account/sizes-file.ts'
import { season, startSample } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'

const folder = mkdtempSync(join(tmpdir(), 'price-'))
const hooks = join(import.meta.dirname, '../../src/client/operations/*.graphql')

const scores = 'query Scores($date: Date!) { league { games(date: $date) { ...Line } } }'
const dear =
  'query Dear($date: Date!) { league { games(date: $date) { homeTeam { stats { points { rank } } roster { lastName college } } } } }'
const teams = 'query Teams($ids: [ID!]!) { teams(ids: $ids) { name } }'

beforeAll(() => {
  mkdirSync(join(folder, 'pages/deep'), { recursive: true })
  mkdirSync(join(folder, 'pages/node_modules'), { recursive: true })
  writeFileSync(join(folder, 'pages/scores.graphql'), scores)
  writeFileSync(join(folder, 'pages/deep/dear.graphql'), `${dear}\n${teams}`)
  writeFileSync(join(folder, 'pages/line.gql'), 'fragment Line on Game { status homeScore awayScore }')
  writeFileSync(join(folder, 'pages/node_modules/not.graphql'), '{ nothing }')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pages = join(folder, 'pages/**/*.{graphql,gql}')
type Told = Record<string, { cold: number; warm: number }>
const json = async (...args: string[]) =>
  JSON.parse((await price([...args, '--json'], sampleNow)).text) as Told

test('each operation has a price, cold and when it is asked again a minute later', async () => {
  const told = await json(pages)
  expect(Object.keys(told).toSorted()).toEqual(['Dear', 'Scores', 'Teams'])
  const { Scores, Dear, Teams } = told
  expect(Scores?.cold).toBeGreaterThan(1)
  expect(Dear?.cold).toBeGreaterThan(5 * (Scores?.cold ?? 0))
  expect(Teams).toMatchObject({ warm: 0 })
  expect(Dear?.warm).toBeLessThan((Dear?.cold ?? 0) / 5)
})

test('what is above the limit is marked, and the command fails', async () => {
  const { Scores, Dear } = await json(pages)
  const most = String((Dear?.cold ?? 0) - 1)
  const above = await price([pages, '--max', most], sampleNow)
  expect(above.isWithin).toBe(false)
  const lines = above.text.split('\n')
  expect(lines[0]).toMatch(/^operation +cold +warm$/)
  expect(lines[1]).toMatch(new RegExp(`^Dear +${Dear?.cold} .*above ${most} .*dear\\.graphql$`))
  expect(lines.filter((line) => line.includes('above'))).toHaveLength(1)
  expect(Scores?.cold).toBeLessThan(Number(most))
  expect((await price([pages, '--max', String(Dear?.cold)], sampleNow)).isWithin).toBe(true)
})

test('the change against another run is printed', async () => {
  const base = join(folder, 'main.json')
  const before = await json(pages)
  const { Dear: _dear, Scores: old, ...rest } = before
  writeFileSync(base, JSON.stringify({ ...rest, Scores: { cold: (old?.cold ?? 0) - 2, warm: 0 } }))
  const { text } = await price([pages, '--base', base], sampleNow)
  const line = (name: string) => text.split('\n').find((one) => one.startsWith(name))
  expect(line('Dear')).toContain('new')
  expect(line('Scores')).toContain('+2')
  expect(line('Teams')).toMatch(/ 0 /)
})

describe('learned sizes', () => {
  const text = `query Day { league { elo(season: ${season}) { elo } } }`
  const file = join(folder, 'sizes.json')
  let sample: Sample

  beforeAll(async () => {
    sample = await startSample()
    writeFileSync(join(folder, 'day.graphql'), text)
  })
  afterAll(() => sample.close())

  const never = { freshFor: { live: 0, current: 0, reference: 0 } }

  /** What the page costs a server that keeps nothing and has bought it often. */
  async function bought(graph: Graph): Promise<number> {
    let tokens = 0
    for (let nth = 0; nth < 12; nth += 1) tokens = (await graph.query(text)).extensions.usage.tokens
    return tokens
  }
  /** How far a price is from what was billed. */
  const error = (price = 0, tokens: number) => Math.abs(price - tokens)
  const day = async (...args: string[]) => (await json(join(folder, 'day.graphql'), ...args))['Day']?.cold

  test('price a page as a server has seen it', async () => {
    const graph = sample.graph(never)
    const tokens = await bought(graph)
    writeSizes(file, graph.upstream.accountOf('sample-paid').estimates, sampleNow)
    expect(error(await day('--sizes', file), tokens)).toBeLessThan(error(await day(), tokens) / 4)
  })

  test('of days without games leave the price of a day as it is', async () => {
    const games =
      'query Games($date: Date!) { league { games(date: $date) { homeScore homeTeam { name } } } }'
    writeFileSync(join(folder, 'games.graphql'), games)
    const cold = async (...args: string[]) =>
      (await json(join(folder, 'games.graphql'), ...args))['Games']?.cold
    const graph = sample.graph(never)
    for (const date of ['2024-07-01', '2024-07-02', '2024-07-03', '2024-07-04'])
      expect((await graph.query(games, { variables: { date } })).extensions.usage.tokens).toBe(1)
    expect(graph.calls.take()).toEqual(Array.from({ length: 4 }, () => 'game/getGames 1'))
    writeSizes(file, graph.upstream.accountOf('sample-paid').estimates, sampleNow)
    expect(await cold('--sizes', file)).toBe(await cold())
  })

  test('price a page as the service bills it, where that is not by the KiB', async () => {
    const graph = sample.graph({
      ...never,
      between: async (request, service) => {
        const answer = await service(request)
        const tokens = 10 * Number(answer.headers['x-request-usage'])
        return { ...answer, headers: { ...answer.headers, 'x-request-usage': String(tokens) } }
      },
    })
    const tokens = await bought(graph)
    writeSizes(file, graph.upstream.accountOf('sample-paid').estimates, sampleNow)
    expect(error(await day('--sizes', file), tokens)).toBeLessThan(error(await day(), tokens) / 4)
  })

  test('are what a server goes on with after a restart', async () => {
    const before = sample.graph(never)
    const tokens = await bought(before)
    writeSizes(file, before.upstream.accountOf('sample-paid').estimates, sampleNow)
    const { estimates: learned = undefined } = readSizes(file) ?? {}
    const dry = async (graph: Graph) => {
      const { extensions } = await graph.query(text, { extensions: { explain: 'dry' } })
      return (extensions.plan ?? []).reduce((sum, call) => sum + call.tokens, 0)
    }
    const after = sample.graph({ ...never, ...(learned && { learned }) })
    expect(error(await dry(after), tokens)).toBeLessThan(error(await dry(sample.graph(never)), tokens) / 4)
    expect(after.calls.take()).toEqual([])
  })

  test('are those of DATA_DIR where none are named, and the command says so', async () => {
    writeSizes(file, sample.graph().upstream.accountOf('sample-paid').estimates, sampleNow)
    const noted = async (learned: string) =>
      (await price([join(folder, 'day.graphql')], sampleNow, learned)).note
    expect(await noted(file)).toBe('Sizes and prices are those learned until 2026-02-14T20:00:00.000Z.')
    expect(await noted(join(folder, 'nothing'))).toMatch(/^Sizes are estimated from the specification/)
    writeFileSync(
      file,
      '{ "version": 1, "bytesPerRow": { "game/getGames game": { "usual": -1 } }, "prices": 7 }',
    )
    expect(await noted(file)).toMatch(/^Sizes and prices are those learned/)
    expect(await day('--sizes', file)).toBe(await day())
    writeFileSync(file, '{')
    expect(await noted(file)).toMatch(/^Sizes are estimated from the specification/)
  })
})

test('the operations of the typed hooks all have a price, live ones too', async () => {
  const told = await json(hooks)
  expect(Object.keys(told).length).toBeGreaterThan(9)
  expect(told['Scoreboard']?.warm).toBeLessThanOrEqual(told['Scoreboard']?.cold ?? 0)
  for (const [name, { cold }] of Object.entries(told)) expect([name, cold > 0]).toEqual([name, true])
})

/** The cold prices of operations, by name. */
async function priced(...texts: readonly string[]): Promise<Record<string, number>> {
  const file = join(folder, 'priced.graphql')
  writeFileSync(file, texts.join('\n'))
  return Object.fromEntries(Object.entries(await json(file)).map(([name, { cold }]) => [name, cold]))
}

test('made-up variables are valid for their use, so that what they ask for is priced', async () => {
  const games = 'Game { homeScore }'
  const prices = await priced(
    `query Node($id: ID!) { node(id: $id) { ...OfGame } } fragment OfGame on ${games}`,
    `query Game($id: ID!) { game(id: $id) { homeScore } }`,
    `query Nodes($ids: [ID!]!) { nodes(ids: $ids) { id ... on ${games} } }`,
    `query Games($ids: [ID!]!) { games(ids: $ids) { homeScore } }`,
    'query Days($d: Date!, $n: Int!) { league { gameDays(around: $d, days: $n) } }',
    'query Around($d: Date!) { league { gameDays(around: $d) } }',
    'query Page($o: String!, $a: String) { league { ranking(subject: TEAM, season: 2026, orderBy: $o, after: $a) { totalCount } } }',
    'query Whole { league { ranking(subject: TEAM, season: 2026, orderBy: "points") { totalCount } } }',
  )
  const { Node, Game, Nodes, Games, Days, Around, Page, Whole } = prices
  expect([Node, Nodes, Days, Page]).toEqual([Game, Games, Around, Whole])
  for (const [name, cold] of Object.entries(prices)) expect([name, cold > 0]).toEqual([name, true])
  expect(Nodes).toBeGreaterThan(1)
})

test('a league has the code that is asked for', async () => {
  const teams = '{ teams(season: 2026) { name } }'
  const {
    ByCode = 0,
    ByPath,
    ByVariable,
    Either,
    Own,
  } = await priced(
    `query ByCode { league(code: "CBB") ${teams} }`,
    `query ByPath { league(code: "CBB/D1") ${teams} }`,
    `query ByVariable($code: String!) { league(code: $code) ${teams} }`,
    `query Either($code: String, $o: ID, $d: ID) { league(code: $code, organizationId: $o, divisionId: $d) ${teams} }`,
    `query Own { league ${teams} }`,
  )
  expect(Own).toBeGreaterThan(10)
  expect(Either).toBe(Own)
  // The lists of organizations and divisions are one call each.
  expect(ByCode).toBeGreaterThan(Own ?? 0)
  expect([ByPath, ByVariable]).toEqual([ByCode, ByCode])
})

test('a cursor that no made-up row has is no error, and a malformed one or a statistic that no sport has is one', async () => {
  const ranking = (args: string) =>
    `{ league { ranking(subject: TEAM, season: 2026, ${args}) { totalCount } } }`
  const { Whole, After } = await priced(
    `query Whole ${ranking('orderBy: "points"')}`,
    `query After ${ranking(`orderBy: "points", after: "${btoa('team:b')}"`)}`,
  )
  expect(Whole).toBeGreaterThan(10)
  expect(After).toBe(Whole)
  await expect(priced(`query Unknown ${ranking('orderBy: "nothing"')}`)).rejects.toThrow(
    /the statistic "nothing"/,
  )
  await expect(priced(`query Bad ${ranking('orderBy: "points", after: "b"')}`)).rejects.toThrow(
    /not a cursor/,
  )
})

test('operations that would fail are told with their errors, all of them, and have no price', async () => {
  const told = priced(
    'query Raw { node(id: "00000000-0000-4000-9000-000000000001") { id } }',
    'query Fine { league { games(date: "2026-02-14") { status } } }',
    'query Far {\n  league { gameDays(around: "2026-02-14", days: 1000) } }',
  )
  await expect(told).rejects.toThrow(
    /priced\.graphql:1:13: Raw: "0{8}-.*" is not a global id: .*`team\(id:\)`.*\.\n/,
  )
  await expect(told).rejects.toThrow(/priced\.graphql:4:12: Far: `days` must be 0 to \d+\.$/)
  await expect(told).rejects.toThrow(UsageError)
})

test.each([
  ['query Wrong { nothing }', /Cannot query field "nothing"/],
  ['{ usage { tokens } }', /an operation has no name/],
  ['query {', /Syntax Error/],
  ['query Open {\n  usage {', /wrong\.graphql:2:10: Syntax Error/],
  ['', /Syntax Error/],
])('%j is told with its file', async (text, message) => {
  const file = join(folder, 'wrong.graphql')
  writeFileSync(file, text)
  await expect(price([file], sampleNow)).rejects.toThrow(message)
  await expect(price([file], sampleNow)).rejects.toThrow('wrong.graphql')
})

test.each([
  [['nothing/*.graphql'], /No file matches nothing/],
  [[], /No files are named/],
  [[hooks, '--max', 'few'], /--max must be/],
  [[hooks, '--base', 'nothing.json'], /--base nothing\.json cannot be read/],
  [[hooks, '--sizes', 'nothing.json'], /--sizes nothing\.json cannot be read/],
  [[hooks, '--loud'], /--loud/],
  [[hooks, '--max', '1', '--max=2'], /^--max is given twice\.\nstatline price/],
  [[hooks, 'nothing/*.graphql'], /No file matches nothing/],
  [[join(folder, 'pages/scores.graphql/*.graphql')], /No file matches/],
  [[join(folder, 'pages')], /No file matches/],
  [[join(folder, 'pages/line.gql')], /No operation/],
])('%j is refused', async (args, message) => {
  await expect(price(args, sampleNow)).rejects.toThrow(message)
})

test('an operation or fragment with the name of another is refused with both files', async () => {
  const again = join(folder, 'again.graphql')
  const of = (text: string) => {
    writeFileSync(again, text)
    return price([pages, again], sampleNow)
  }
  // A base has one price for a name, and a spread one fragment.
  await expect(of('query Teams { usage { tokens } }')).rejects.toThrow(/Teams.*again\.graphql.*dear\.graphql/)
  await expect(of('fragment Line on Game { status }')).rejects.toThrow(/Line.*again\.graphql.*line\.gql/)
})

test('a price that equals the limit is within it', async () => {
  const dearest = Math.max(...Object.values(await json(pages)).map(({ cold }) => cold))
  expect((await price([pages, '--max', String(dearest)], sampleNow)).isWithin).toBe(true)
  expect((await price([pages, '--max', String(dearest - 1)], sampleNow)).isWithin).toBe(false)
})

test.each(['null', '5', '[]', '"text"', '{"Scores":5}', '{"Scores":{"cold":"1"}}', '{"Scores":{"warm":1}}'])(
  'the base %s is refused',
  async (text) => {
    const base = join(folder, 'base.json')
    writeFileSync(base, text)
    await expect(price([pages, '--base', base], sampleNow)).rejects.toThrow(/base\.json cannot be read/)
  },
)

test('with --json too, the change against another run is told, and what is above the limit', async () => {
  const base = join(folder, 'earlier.json')
  const { Scores, Teams, Dear } = await json(pages)
  const old = { Scores: { cold: (Scores?.cold ?? 0) - 2, warm: 0 }, Old: { cold: 7, warm: 1 }, Teams }
  writeFileSync(base, JSON.stringify(old))
  const most = String((Dear?.cold ?? 0) - 1)
  const run = await price([pages, '--base', base, '--json', '--max', most], sampleNow)
  const told = JSON.parse(run.text) as Told
  expect(told).toEqual({
    Dear: { ...Dear, change: null },
    Scores: { ...Scores, change: 2 },
    Teams: { ...Teams, change: 0 },
    Old: { cold: 0, warm: 0, change: -7, gone: true },
  })
  expect(run.isWithin).toBe(false)
  expect(run.note).toMatch(new RegExp(`\\nAbove the limit of ${most} tokens: Dear \\(${Dear?.cold}\\)\\.$`))
  // It is a base itself, and what was gone then is not gone again.
  writeFileSync(base, run.text)
  expect(Object.keys(await json(pages, '--base', base)).toSorted()).toEqual(['Dear', 'Scores', 'Teams'])
})

test('operations that are gone since the base are the last lines', async () => {
  const base = join(folder, 'gone.json')
  writeFileSync(base, JSON.stringify({ ...(await json(pages)), Old: { cold: 7, warm: 1 } }))
  const { text } = await price([pages, '--base', base], sampleNow)
  expect(text.split('\n').at(-1)).toMatch(/^Old +0 +0 +-7 +gone$/)
})

describe('symbolic links', () => {
  const linked = join(folder, 'linked')
  beforeAll(() => {
    mkdirSync(linked)
    symlinkSync(join(folder, 'pages'), join(linked, 'pages'))
    symlinkSync(linked, join(linked, 'again'))
    symlinkSync(join(folder, 'pages/line.gql'), join(linked, 'line.gql'))
  })
  afterAll(() => rmSync(linked, { recursive: true }))

  test('are followed, and those that lead back end', () => {
    const names = filesOf([join(linked, '**/*.graphql'), join(linked, '*.gql')])
    expect(names.map((file) => file.slice(linked.length + 1))).toEqual([
      'line.gql',
      'pages/deep/dear.graphql',
      'pages/scores.graphql',
    ])
  })

  test('that lead nowhere are errors if they match', async () => {
    symlinkSync(join(folder, 'nowhere'), join(linked, 'gone.graphql'))
    await expect(price([join(linked, '*.graphql')], sampleNow)).rejects.toThrow(/gone\.graphql: ENOENT/)
    rmSync(join(linked, 'gone.graphql'))
  })
})

test('a file that is named by several paths is read once', async () => {
  const file = join(folder, 'pages/deep/dear.graphql')
  const paths = [file, relative(process.cwd(), file), join(folder, 'pages/**/dear.graphql')]
  expect(filesOf(paths)).toHaveLength(1)
  expect(Object.keys(await json(...paths)).toSorted()).toEqual(['Dear', 'Teams'])
})

const isRoot = process.getuid?.() === 0
test.skipIf(isRoot)(
  `a folder that cannot be read is told${isRoot ? ' (skipped: root reads all)' : ''}`,
  () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0 })
    expect(() => filesOf([join(closed, '*.graphql')])).toThrow(/closed cannot be read: EACCES/)
    rmdirSync(closed)
  },
)

test('patterns match files in folders, each once', () => {
  const names = (...patterns: string[]) =>
    filesOf(patterns.map((one) => join(folder, one))).map((file) => file.slice(folder.length + 1))
  expect(names('pages/*.graphql')).toEqual(['pages/scores.graphql'])
  expect(names('pages/**/*.graphql', 'pages/scores.graphql')).toEqual([
    'pages/deep/dear.graphql',
    'pages/scores.graphql',
  ])
  expect(names('pages/l?ne.gql')).toEqual(['pages/line.gql'])
  expect(names('pages/*.{g*ql,txt}')).toEqual(['pages/line.gql', 'pages/scores.graphql'])
  expect(names('pages/{s*,{line,deep/*}}.{gql,graphql}')).toEqual([
    'pages/deep/dear.graphql',
    'pages/line.gql',
    'pages/scores.graphql',
  ])
  expect(names('pages/{line,(a,[b}.gql')).toEqual(['pages/line.gql'])
  const routes = join(folder, '.app/(shop)/[team]')
  mkdirSync(routes, { recursive: true })
  writeFileSync(join(routes, 'a+b.graphql'), '')
  for (const pattern of ['.app/**/*.graphql', '.app/(shop)/[team]/*', '.app/(shop)/*/a+b.{graphql,gql}'])
    expect(names(pattern)).toEqual(['.app/(shop)/[team]/a+b.graphql'])
  rmSync(join(folder, '.app'), { recursive: true })
})
