import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { operations } from '../../src/specification/operations.ts'
import { sourceOf } from '../../src/start/source.ts'
import { recording } from '../../src/calls/tape/recording.ts'
import { replaying } from '../../src/calls/tape/replaying.ts'
import { Deadline } from '../../src/wire/deadline.ts'
import { callOf } from '../../src/calls/tape/tape.ts'
import type { Arguments } from '../../src/specification/operation.ts'
import { basketball, graphOver, startSample, teamsOfToday, today } from '../graph/harness.ts'
import type { Answer, Between, Graph, Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'

let sample: Sample
const folder = mkdtempSync(join(tmpdir(), 'replay-'))
const tape = (name: string) => join(folder, `${name}.tape`)

beforeAll(async () => {
  sample = await startSample()
})
afterAll(async () => {
  await sample.close()
  rmSync(folder, { recursive: true, force: true })
})

type Answers = Answer<Record<string, unknown>>[]
type Open = (graph: Graph, queries: readonly string[]) => Promise<Answers>

const atOnce: Open = (graph, queries) => Promise.all(queries.map((one) => graph.query(one)))
const oneByOne: Open = async (graph, queries) => {
  const answers: Answers = []
  for (const one of queries) answers.push(await graph.query(one))
  return answers
}
const errorsIn = (answers: Answers) => answers.flatMap(({ errors = [] }) => errors)
const dataOf = (answers: Answers) => answers.map(({ data }) => data)
const tokensOf = (answers: Answers) =>
  answers.reduce((sum, { extensions: { usage } }) => sum + usage.tokens, 0)

describe('queries that arrive otherwise than they were recorded', () => {
  const ratings = ['awayTeam', 'homeTeam'].map(
    (side) => `{ league { games(date: "${today}") { ${side} { elo { elo } } } } }`,
  )

  test('recorded at once, teams’ ratings are replayed one page after the other, at parts of the bill', async () => {
    const file = tape('at-once')
    const recorder = graphOver(recording(sample.transport, file))
    const recorded = await atOnce(recorder, ratings)
    expect(recorder.calls.take()).toEqual(['elo/read 28', 'game/getGames 1'])
    const graph = graphOver(replaying(file))
    const replayed = await oneByOne(graph, ratings)
    expect(errorsIn(replayed)).toEqual([])
    expect(dataOf(replayed)).toEqual(dataOf(recorded))
    expect(graph.calls.take()).toEqual(['elo/read 14', 'elo/read 14', 'game/getGames 1'])
    expect(tokensOf(replayed)).toBe(tokensOf(recorded))
  })

  test('recorded one page after the other, they are replayed at once, at the same bill', async () => {
    const file = tape('one-by-one')
    const recorded = await oneByOne(graphOver(recording(sample.transport, file)), ratings)
    const graph = graphOver(replaying(file))
    const replayed = await atOnce(graph, ratings)
    expect(errorsIn(replayed)).toEqual([])
    expect(dataOf(replayed)).toEqual(dataOf(recorded))
    expect(graph.calls.take()).toEqual(['elo/read 28', 'game/getGames 1'])
    expect(tokensOf(replayed)).toBe(tokensOf(recorded))
  })

  test('pages are replayed in any order, at once or one after the other', async () => {
    const [home = '', away = ''] = await teamsOfToday(sample)
    const games = (selection: string) => `{ league { games(date: "${today}") { ${selection} } } }`
    const team = (id: string, selection: string) => `{ league { team(id: "${id}") { ${selection} } } }`
    const pages = [
      games('homeScore homeTeam { name }'),
      games('odds { pre { spreadHome } } prediction { homePercentage }'),
      games('awayTeam { elo { elo } stats { points { rank } } }'),
      team(home, 'name elo { elo } roster { firstName }'),
      team(away, 'games { startDatetime homeScore awayTeam { name } }'),
      '{ league { teams { name elo { elo } } } }',
      '{ organizations { name } }',
    ]
    const turned = [...pages.slice(3), ...pages.slice(0, 3).toReversed()]
    for (const [nth, record] of [atOnce, oneByOne].entries()) {
      const file = tape(`order-${nth}`)
      const recorded = await record(graphOver(recording(sample.transport, file)), pages)
      const byPage = new Map(pages.map((page, index) => [page, recorded[index]?.data]))
      for (const replay of [atOnce, oneByOne])
        for (const order of [pages, pages.toReversed(), turned]) {
          const replayed = await replay(graphOver(replaying(file)), order)
          expect(errorsIn(replayed)).toEqual([])
          expect(dataOf(replayed)).toEqual(order.map((page) => byPage.get(page)))
        }
    }
  })
})

describe('what a page needs is on the tape in answers to other pages', () => {
  async function replayed(name: string, recorded: readonly string[], page: string) {
    await oneByOne(graphOver(recording(sample.transport, tape(name))), recorded)
    return graphOver(replaying(tape(name))).query<Record<string, Record<string, unknown>>>(page)
  }

  test('both sides of a game that were bought one by one', async () => {
    const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
    const played = games.find(({ boxscore }) => boxscore === 1)
    const of = (fields: string) => `{ game(id: "${String(played?.['game_id'])}") { ${fields} } }`
    const oneSide = (side: string) =>
      of(`playerBoxscores(side: ${side}) { id } boxscore(side: ${side}) { id }`)
    const both = of('playerBoxscores { id } boxscores { __typename points }')
    const { data } = await sample.graph().query(both)
    const answer = await replayed('sides', [oneSide('HOME'), oneSide('AWAY')], both)
    expect(answer.errors).toBeUndefined()
    expect(answer.data['game']?.['boxscores']).toEqual((data as typeof answer.data)['game']?.['boxscores'])
    const keys = ({ game }: typeof answer.data) =>
      new Set(Object.values(game?.['playerBoxscores'] ?? {}).map(({ id }) => id))
    expect(keys(answer.data)).toEqual(keys(data as typeof answer.data))
  })

  test('a team’s conference', async () => {
    const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
    const team = `{ league { team(id: "${String(game?.['home_team_id'])}") { teamId conferenceId } } }`
    const day = `{ league { games(date: "${today}") { homeTeam { conferenceId } } } }`
    const { data } = await sample.graph().query(team)
    const answer = await replayed('conference', [day], team)
    expect(answer.errors).toBeUndefined()
    expect(answer.data).toEqual(data)
  })
})

describe('a call with a part of the recorded values', () => {
  const league = { organization_id: 'o', division_id: 'd', season: 2026 }
  const elo = (id: string) => ({ elo_id: `r${id}`, team_id: id, elo: 1500 })

  interface Line {
    readonly teams: readonly string[]
    readonly body: unknown
    readonly tokens?: string
    readonly quality?: string
  }

  function written(name: string, lines: readonly Line[]): string {
    const text = lines.map(({ teams, body, tokens, quality }) => ({
      call: callOf({ operation: operations.readElo, arguments: { ...league, team_id: teams } }),
      status: 200,
      headers: { 'x-request-usage': tokens, 'x-data-quality': quality },
      body: JSON.stringify(body),
    }))
    writeFileSync(tape(name), `${text.map((line) => JSON.stringify(line)).join('\n')}\n`)
    return tape(name)
  }

  async function answer(send: ReturnType<typeof replaying>, teams: readonly string[], more: Arguments = {}) {
    const { operation, deadline } = { operation: operations.readElo, deadline: new Deadline(1_000) }
    const values = { ...league, team_id: teams, ...more }
    const request = { operation, arguments: values, method: 'GET', path: '', apiKey: 'k', deadline } as const
    const { headers, body, failure } = await send(request)
    deadline.end()
    const { 'x-request-usage': tokens, 'x-data-quality': quality } = headers
    return failure ? { failure: failure.message } : { tokens, quality, body: JSON.parse(body) as unknown }
  }

  test('has its rows, and its part of the bill by their bytes, rounded up', async () => {
    const body = { ra: elo('a'), rb: elo('b'), rc: elo('c') }
    const send = replaying(written('parts', [{ teams: ['a', 'b', 'c'], body, tokens: '10' }]))
    expect(await answer(send, ['b'])).toEqual({ tokens: '4', body: { rb: elo('b') } })
    expect(await answer(send, ['c', 'a'])).toEqual({ tokens: '7', body: { ra: elo('a'), rc: elo('c') } })
  })

  test('has the rows of several calls, and is randomized if one of them is', async () => {
    const send = replaying(
      written('several', [
        { teams: ['a'], body: { ra: elo('a') }, tokens: '2', quality: 'exact' },
        { teams: ['b', 'c'], body: [elo('b')], tokens: '3', quality: 'randomized' },
      ]),
    )
    expect(await answer(send, ['a', 'b', 'c'])).toEqual({
      tokens: '5',
      quality: 'randomized',
      body: [elo('a'), elo('b')],
    })
    // What was asked for and had no row has none, for nothing.
    expect(await answer(send, ['c'])).toEqual({ tokens: '0', quality: 'randomized', body: {} })
  })

  test('goes on in the order of recording', async () => {
    const later = { ...elo('a'), elo: 1600 }
    const send = replaying(
      written('later', [
        { teams: ['a', 'b'], body: { ra: elo('a'), rb: elo('b') }, tokens: '2' },
        { teams: ['a', 'b'], body: { ra: later, rb: elo('b') }, tokens: '2' },
      ]),
    )
    expect(await answer(send, ['a'])).toMatchObject({ body: { ra: { elo: 1500 } } })
    expect(await answer(send, ['a'])).toMatchObject({ body: { ra: { elo: 1600 } } })
    expect(await answer(send, ['a', 'b'])).toMatchObject({ body: { ra: { elo: 1500 } } })
    expect(await answer(send, ['b'])).toMatchObject({ body: { rb: { elo: 1500 } } })
  })

  test('is missing if a value was not asked for, another argument differs, or rows do not name theirs', async () => {
    const missing = { failure: expect.stringMatching(/^The tape has no answer to elo\/read /) }
    const send = replaying(written('missing', [{ teams: ['a'], body: { ra: elo('a') }, tokens: '1' }]))
    expect(await answer(send, ['a', 'b'])).toEqual(missing)
    expect(await answer(send, ['a'], { season: 2025 })).toEqual(missing)
    const bodies = [{ r: { elo: 1 } }, { error: 'Access denied' }, [5], 'text']
    for (const body of bodies) {
      const other = replaying(written('nameless', [{ teams: ['a', 'b'], body, tokens: '1' }]))
      expect(await answer(other, ['a'])).toEqual(missing)
    }
  })

  test('has no reported bill if a recorded one has none', async () => {
    const send = replaying(written('no-bill', [{ teams: ['a', 'b'], body: { ra: elo('a') } }]))
    expect(await answer(send, ['a'])).toEqual({ body: { ra: elo('a') } })
  })
})

describe('a replay that goes on', () => {
  const page = `{ league { games(date: "${today}") { status homeScore homeTeam { name elo { elo } } } } }`

  test.each([400, 90_000, 10 * 86_400, 400 * 86_400])('has the same page after %d s', async (seconds) => {
    const file = tape(`aged-${seconds}`)
    const recorded = await graphOver(recording(sample.transport, file)).query(page)
    let now = sampleNow
    const graph = graphOver(replaying(file), { clock: () => now })
    expect(await graph.query(page)).toEqual(recorded)
    now += seconds * 1_000
    const aged = await graph.query(page)
    expect(aged.errors).toBeUndefined()
    expect(aged.data).toEqual(recorded.data)
    expect(aged.extensions).not.toHaveProperty('stale')
    expect(aged.extensions.usage.tokens).toBeLessThanOrEqual(recorded.extensions.usage.tokens)
  })

  test('has the recorded changes of a game at the recorded times', async () => {
    const file = tape('changes')
    let [score, now] = [0, sampleNow]
    const changing: Between = async (request, service) => {
      const answer = await service(request)
      if (request.operation.class !== 'game') return answer
      const body = answer.body
        .replaceAll(/"status":"[^"]*"/g, '"status":"In Progress"')
        .replaceAll(/"home_score":(\d+|null)/g, `"home_score":${score}`)
      return { ...answer, body, bytes: Buffer.byteLength(body) }
    }
    const scores = `{ league { games(date: "${today}") { homeScore } } }`
    async function watch(graph: Graph) {
      now = sampleNow
      const seen: unknown[] = []
      for (score = 1; score <= 4; score += 1) {
        const { data, extensions } = await graph.query<{ league: { games: { homeScore: number }[] } }>(scores)
        seen.push([data.league.games[0]?.homeScore, extensions.usage.tokens])
        now += 20_000
      }
      return seen
    }
    const transport = recording((request) => changing(request, sample.transport), file)
    const recorded = await watch(graphOver(transport, { clock: () => now }))
    expect(recorded.map((one) => (one as readonly unknown[])[0])).toEqual([1, 2, 3, 4]) // pairs, as above
    expect(await watch(graphOver(replaying(file), { clock: () => now }))).toEqual(recorded)
  })
})

describe('a tape of several keys', () => {
  const page = '{ organizations { name } }'
  const ask = (graph: Graph, key: string) => graph.query(page, { headers: { 'x-api-key': key } })
  const named = (name: string) => ({ data: { organizations: [{ name }] } })

  /** A service whose rows name the key. */
  async function recorded(name: string, keys: readonly string[]): Promise<string> {
    const graph = graphOver(
      recording(async ({ apiKey }) => {
        const body = JSON.stringify({ o: { organization_id: 'o', name: `of ${apiKey}`, inactive: 0 } })
        return { status: 200, headers: { 'x-request-usage': '1' }, body, bytes: body.length }
      }, tape(name)),
      { apiKey: null },
    )
    for (const key of keys) await ask(graph, key)
    return tape(name)
  }

  test('gives each key of the replay the answers of one recorded key, in the order of their first calls', async () => {
    const file = await recorded('keys', ['trial', 'paid'])
    expect(readFileSync(file, 'utf8').replaceAll(/"name[^}]*/g, '')).not.toMatch(/trial|paid/)
    const graph = graphOver(replaying(file), { apiKey: null })
    expect(await ask(graph, 'one')).toMatchObject(named('of trial'))
    expect(await ask(graph, 'other')).toMatchObject(named('of paid'))
    expect(await ask(graph, 'third')).toMatchObject({
      data: { organizations: null },
      errors: [
        {
          message: 'The tape has answers for 2 keys, and none for another one.',
          extensions: { code: 'UPSTREAM_ERROR' },
        },
      ],
      extensions: { usage: { tokens: 0 } },
    })
    expect(await ask(graph, 'one')).toMatchObject(named('of trial'))
  })

  test('is replayed without an address with the clients’ own keys, and a tape of one key without any', async () => {
    const keyOf = async (name: string, keys: readonly string[], more: Record<string, string> = {}) => {
      const file = await recorded(name, keys)
      const { apiKey } = await sourceOf(
        readConfig({ UPSTREAM_TAPE: `replay:${file}`, ...more }),
        replaying(file),
      )
      return apiKey
    }
    expect(await keyOf('several', ['trial', 'paid'])).toBeNull()
    expect(await keyOf('several-configured', ['trial', 'paid'], { UPSTREAM_API_KEY: 'mine' })).toBe('mine')
    expect(await keyOf('single', ['trial'])).toBe('tape')
    expect(await keyOf('none', [])).toBe('tape')
    expect(await keyOf('single-elsewhere', ['trial'], { UPSTREAM_URL: 'https://service.test/v1' })).toBeNull()
  })

  test('gives every key the answers of the only recorded one, also on a tape without numbers of keys', async () => {
    const file = await recorded('one-key', ['trial'])
    const lines = readFileSync(file, 'utf8').replaceAll(/"(operation|key)":("[^"]*"|\d+),/g, '')
    expect(lines).not.toContain('"key":')
    writeFileSync(tape('older'), lines)
    for (const one of [file, tape('older')]) {
      const graph = graphOver(replaying(one), { apiKey: null })
      for (const key of ['one', 'other']) expect(await ask(graph, key)).toMatchObject(named('of trial'))
    }
  })
})

test('a key and an address that the service repeats are not on the tape, however they are written', async () => {
  const file = tape('secrets')
  const key = 'se"cret/key+1'
  const host = 'service.test:8443'
  const said = [key, JSON.stringify(key), JSON.stringify(key).replaceAll('/', '\\/'), encodeURIComponent(key)]
  const body = `Invalid API key ${said.join(' ')} at https://${host}/v1 (service.test)`
  const send = recording(
    async () => ({ status: 401, headers: { 'content-type': `text/plain; key=${key}` }, body, bytes: 9 }),
    file,
    { address: `https://${host}/v1` },
  )
  await graphOver(send, { apiKey: key }).query('{ organizations { name } }')
  const [line = ''] = readFileSync(file, 'utf8').split('\n')
  expect(JSON.parse(line)).toMatchObject({
    headers: { 'content-type': 'text/plain; key=[key]' },
    body: 'Invalid API key [key] "[key]" "[key]" [key] at https://[address]/v1 ([address])',
  })
  const { errors } = await graphOver(replaying(file)).query('{ organizations { name } }')
  expect(errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED')
})

test('a tape knows what the recording began with, unless it is of an earlier version', async () => {
  const file = tape('beginning')
  const beginning = { at: sampleNow, findings: { rows: { found: 'list', at: 5 } }, sizes: { prices: {} } }
  await graphOver(recording(sample.transport, file, { beginning })).query('{ organizations { name } }')
  expect(replaying(file).beginning).toEqual(beginning)
  const [, ...lines] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, lines.join('\n'))
  expect(replaying(file).beginning).toEqual({ at: null, findings: {}, sizes: null })
})
