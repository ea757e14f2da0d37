import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOf } from '../../src/client/document.ts'
import { GameCountsDocument, WeekDocument } from '../../src/client/generated/graphql.ts'
import { price } from '../../src/commands/price.ts'
import { UsageError } from '../../src/commands/usage-error.ts'
import { writeSizes } from '../../src/account/sizes-file.ts'
import { startSample, teamsOfToday, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'

const folder = mkdtempSync(join(tmpdir(), 'price-variables-'))
const file = join(folder, 'page.graphql')
const sizes = join(folder, 'sizes.json')

let sample: Sample
let team: string
beforeAll(async () => {
  sample = await startSample()
  team = (await teamsOfToday(sample))[0] ?? ''
})
afterAll(async () => {
  await sample.close()
  rmSync(folder, { recursive: true, force: true })
})

async function priced(text: string, ...args: string[]): Promise<number> {
  writeFileSync(file, text)
  const { text: told } = await price([file, '--json', ...args], sampleNow)
  const [one] = Object.values(JSON.parse(told) as Record<string, { cold: number }>)
  return one?.cold ?? 0
}

/** The price of a query by the sizes of its own answers, and its bill with nothing kept. */
async function both(text: string, variables: Record<string, unknown>) {
  const graph = sample.graph()
  const { errors, extensions } = await graph.query(text, { variables })
  expect(errors).toBeUndefined()
  writeSizes(sizes, graph.upstream.accountOf('sample-paid').estimates, sampleNow)
  return { cold: await priced(text, '--sizes', sizes), bill: extensions.usage.tokens }
}

/** Sizes are averages, and a call costs whole tokens. */
function expectNear(cold: number, bill: number) {
  expect(cold).toBeGreaterThan(0.8 * bill)
  expect(cold).toBeLessThan(1.25 * bill)
}

const days = Object.fromEntries(
  Array.from({ length: 7 }, (_, at) => [`day${at + 1}`, `2026-02-${11 + at}`] as const),
)

describe('each variable has a value of its own, so that a price is that of', () => {
  test.each([
    [
      'several days',
      'query Days($a: Date!, $b: Date!) { league { a: games(date: $a) { homeScore } b: games(date: $b) { homeScore } } }',
      () => ({ a: today, b: '2026-02-13' }),
    ],
    ['a week', textOf(WeekDocument), () => days],
    ['a week’s games', textOf(GameCountsDocument), () => days],
    [
      'several seasons',
      'query Seasons($t: ID!, $a: Int!, $b: Int!) { team(id: $t) { a: stats(season: $a) { wins { value } } b: stats(season: $b) { wins { value } } } }',
      () => ({ t: team, a: 2026, b: 2025 }),
    ],
  ])('%s', async (_, text, variables) => {
    const { cold, bill } = await both(text, variables())
    expectNear(cold, bill)
  })
})

describe('a Boolean has the value that costs more, where it', () => {
  const games = (fields: string) => `{ league { games(date: "${today}") { homeScore ${fields} } } }`
  const rosters = 'homeTeam { roster { college } }'
  const query = (fields: string) => `query Page($on: Boolean!) ${games(fields)}`

  test('skips or includes', async () => {
    const all = await priced(`query Page ${games(rosters)}`)
    expect(all).toBeGreaterThan(10 * (await priced(`query Page ${games('')}`)))
    expect(await priced(query(`... @skip(if: $on) { ${rosters} }`))).toBe(all)
    expect(await priced(query(`... @include(if: $on) { ${rosters} }`))).toBe(all)
  })

  test('skips one part and includes another', async () => {
    const dear = await priced(`query Page ${games(rosters)}`)
    const parts = (one: string, other: string) =>
      priced(query(`... @skip(if: $on) { ${one} } ... @include(if: $on) { ${other} }`))
    expect(await parts(rosters, 'awayScore')).toBe(dear)
    expect(await parts('awayScore', rosters)).toBe(dear)
    const more = await priced(
      `query Page($on: Boolean!, $too: Boolean!) ${games(`
        h: homeTeam @skip(if: $on) { roster { college } } a: awayTeam @include(if: $on) { name }
        b: awayTeam @skip(if: $too) { roster { college } } c: homeTeam @include(if: $too) { name }`)}`,
    )
    expect(more).toBe(await priced(`query Page ${games(`${rosters} awayTeam { roster { college } }`)}`))
  })

  test('is an argument', async () => {
    const elo = (current: unknown) => `league { elo(season: 2026, current: ${current}) { elo } }`
    const [one, all] = [
      await priced(`query Page { ${elo(true)} }`),
      await priced(`query Page { ${elo(false)} }`),
    ]
    expect(all).toBeGreaterThan(one)
    expect(await priced(`query Page($on: Boolean!) { ${elo('$on')} }`)).toBe(all)
  })

  test('as the bill of that value', async () => {
    const text = query(`... @skip(if: $on) { ${rosters} }`)
    const { cold, bill } = await both(text, { on: false })
    expectNear(cold, bill)
  })
})

describe('an enum has the value that costs the most, where it', () => {
  const leaders = (variable: string, subject: string) =>
    `query Leaders${variable} { league { ranking(subject: ${subject}, season: 2026, orderBy: "points") { totalCount } } }`

  test('is an argument', async () => {
    const players = await priced(leaders('', 'PLAYER'))
    expect(players).toBeGreaterThan(await priced(leaders('', 'COACH')))
    expect(await priced(leaders('($of: RankingSubject!)', '$of'))).toBe(players)
    expect(await priced(leaders('($of: RankingSubject! = COACH)', '$of'))).toBe(
      await priced(leaders('', 'COACH')),
    )
  })

  test('may be left out', async () => {
    const box = (variable: string, args: string) =>
      priced(
        `query Box($id: ID!${variable}) { game(id: $id) { playerBoxscores${args} { points player { name: firstName } } } }`,
      )
    const both = await box('', '')
    expect(both).toBeGreaterThan(await box('', '(side: HOME)'))
    expect(await box(', $side: Side', '(side: $side)')).toBe(both)
  })

  test('is in a list, which has all values', async () => {
    const search = (variable: string, args: string) =>
      priced(`query Search${variable} { league { search(name: "ha"${args}) { teams { name } } } }`)
    const teams = await search('', ', groups: [TEAMS]')
    expect(teams).toBeGreaterThan(0)
    expect(await search('($groups: [SearchGroup!])', ', groups: $groups')).toBe(teams)
  })
})

describe('operations that would fail have no price', () => {
  test.each([
    ['mutation M { x }', /page\.graphql:1:1: M: .*mutation/],
    ['mutation M($id: ID!) { addTeam(id: $id) { name } }', /page\.graphql:1:1: M: .*mutation/],
  ])('%s', async (text, message) => {
    await expect(priced(text)).rejects.toThrow(message)
    await expect(priced(text)).rejects.toThrow(UsageError)
  })
})
