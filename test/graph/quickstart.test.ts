import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine } from '../../src/commands/doctor-run.ts'
import { probeSender } from '../../src/commands/send-probe.ts'
import { season, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import type { Json } from '../service/client.ts'
import { within } from '../service/client.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/quickstart.md'), 'utf8')

let sample: Sample
let team: string
let game: string
let conference: string

beforeAll(async () => {
  sample = await startSample()
  const { data } = await sample
    .graph()
    .query<Json>(`{ league { games(date: "${today}") { gameId status homeTeam { teamId conferenceId } } } }`)
  const games = within(data, 'league')['games'] as readonly Json[]
  const final = games.find(({ status }) => status === 'final') ?? {}
  game = String(final['gameId'])
  team = String(within(final, 'homeTeam')['teamId'])
  conference = String(within(final, 'homeTeam')['conferenceId'])
})
afterAll(() => sample.close())

/** A query of the page, with the subjects of the sample league in place of its placeholders. */
const filled = (query: string) =>
  query
    .replaceAll('TEAM_ID', `"${team}"`)
    .replaceAll('GAME_ID', `"${game}"`)
    .replaceAll('CONFERENCE_ID', `"${conference}"`)
    .replaceAll('SEASON', String(season))

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text)

test('the quickstart spends fewer than 60 tokens of a trial key, as much as it says', async () => {
  const { tokens } = await examine(probeSender(sample.transport, 'sample-trial', 60_000), 25, {}, Date.now)
  const graph = sample.graph({ apiKey: 'sample-trial', budget: 500 })
  const spent: number[] = [tokens]
  const query = /query: `([^`]*)`/.exec(blocks('html')[0] ?? '')?.[1] ?? ''
  for (const [text, variables] of [
    ...blocks('graphql').map((one) => [one, undefined] as const),
    [query, { date: today }] as const,
  ]) {
    const { errors, extensions } = await graph.query(filled(text), { ...(variables && { variables }) })
    expect(errors, text).toBeUndefined()
    spent.push(extensions.usage.tokens)
  }
  const told = [...page.matchAll(/\*\*(\d+) tokens\*\*/g)].map(([, number]) => Number(number))
  expect(spent).toEqual(told)
  expect(spent.reduce((sum, one) => sum + one, 0)).toBeLessThan(60)
})

const rows = [...page.matchAll(/^\| `(\{.*?\})` \| (.*?) \|/gm)].map(([, query = '', result = '']) => ({
  query,
  result,
}))

test('the table of what a trial key cannot do has rows', () => {
  expect(rows.length).toBeGreaterThan(6)
})

test.each(rows)('a trial key’s $query is $result', async ({ query, result }) => {
  const { data, errors } = await sample
    .graph({ apiKey: 'sample-trial' })
    .query<Json>(filled(query.replaceAll('\\|', '|')))
  if (result.startsWith('null, `ACCESS_DENIED`')) {
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['ACCESS_DENIED'])
    return
  }
  expect(errors).toBeUndefined()
  expect(JSON.stringify(data)).toContain(/`(.*?)`/.exec(result)?.[1] ?? '')
})
