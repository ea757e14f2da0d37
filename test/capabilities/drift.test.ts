import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { capabilitiesFile, keptCapabilities, parsed } from '../../src/capabilities/file.ts'
import { bill } from '../../src/commands/bill.ts'
import { createApp } from '../../src/server/app.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { judged } from '../graph/spoiled.ts'
import type { Json } from '../service/client.ts'
import { sampleNow } from '../sample.setup.ts'

let sample: Sample
const folder = mkdtempSync(join(tmpdir(), 'drift-'))
const file = capabilitiesFile(folder)

beforeAll(async () => {
  sample = await startSample()
})
afterAll(async () => {
  await sample.close()
  rmSync(folder, { recursive: true, force: true })
})

const names = 'gameId status attendance homeTeam { name }'
const query = `{ league { games(date: "${today}") { ${names} } } }`

/**
 * Games with an unknown status, an extra column, a missing column, a column of another type, and wrong keys.
 */
const drifting = judged((body, operation) =>
  operation !== 'game/getGames'
    ? body
    : Object.fromEntries(
        Object.entries(body).map(([key, row]) => {
          const { network: _, ...rest } = row as Json // a game
          return [`row of ${key}`, { ...rest, status: 'halted', weather: 'rain', attendance: { seats: 5 } }]
        }),
      ),
)

test('each difference is counted, logged once, kept, and shown in the metrics and under the bill; nothing is dropped', async () => {
  const capabilities = keptCapabilities(
    file,
    sample.url,
    () => sampleNow,
    () => {},
  )
  const graph = sample.graph({ between: drifting, capabilities })
  const logged: Json[] = []
  const log = { info: (line: object) => void logged.push(line as Json), error: () => {} } // as it is logged
  const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball, log })
  const ask = async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await app.fetch('http://statline.test/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, extensions: { maxAge: 0 } }),
    })
    return (await response.json()) as { data: { league: { games: readonly Json[] } } }
  }
  const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const { data } = await ask()
  expect(data.league.games.map(({ gameId }) => gameId).toSorted()).toEqual(
    games.map((game) => game['game_id']).toSorted(),
  )
  expect(
    data.league.games.every(({ status, attendance }) => status === 'halted' && attendance === null),
  ).toBe(true)
  const [first = ''] = data.league.games.map(({ gameId }) => String(gameId))
  const kept = graph.upstream.accountOf('sample-paid').rows.find('game', first)
  expect(kept?.columns(sampleNow)).toMatchObject({ weather: 'rain' })

  const differences = [
    ['missing column', 'game.network'],
    ['new status', 'game.status: "halted"'],
    ['new type', 'game.attendance: object'],
    ['unknown column', 'game.weather'],
    ['wrong key', 'game'],
  ]
  const { lines } = capabilities.drift
  expect(lines.map(({ kind, where }) => [kind, where]).toSorted()).toEqual(differences)
  expect(new Set(lines.map(({ count }) => count))).toEqual(new Set([games.length]))
  await ask()
  expect(logged.flatMap(({ drift, where }) => (drift ? [[drift, where]] : [])).toSorted()).toEqual(
    differences,
  )

  const metrics = await (await app.fetch('http://statline.test/metrics')).text()
  expect(metrics).toContain(`statline_service_drift_rows{kind="unknown column",where="game.weather"} `)
  const known = parsed(file)
  expect(known?.drift.map(({ where }) => where).toSorted()).toEqual(
    differences.map(([, where]) => where).toSorted(),
  )
  const cell = (text: string) => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text)
  const billed = async (...args: string[]) =>
    bill(args, { read: async () => [], drift: () => known?.drift ?? [] }, sampleNow)
  expect(await billed()).toMatch(/What the service sends otherwise than specified\n\n.*\(\d+ rows\)/)
  expect(await billed('--json')).toBe('[]')
  expect(JSON.parse(await billed('--drift', '--json'))).toEqual(known?.drift)
  expect((await billed('--drift', '--csv')).split('\n')).toEqual([
    'kind,where,rows',
    ...(known?.drift ?? []).map(({ kind, where, count }) => `${kind},${cell(where)},${count}`),
  ])
  expect(await bill(['--drift'], { read: async () => [], drift: () => [] }, sampleNow)).toMatch(/^Nothing/)
  await app.dispose()
})

test('a key that the service repeats in rows and names of columns reaches no file, log, metric or client', async () => {
  const own = capabilitiesFile(mkdtempSync(join(folder, 'repeated-')))
  const apiKey = 'a-key+that/is "repeated" at length'
  const capabilities = keptCapabilities(
    own,
    sample.url,
    () => sampleNow,
    () => {},
  )
  const graph = sample.graph({
    capabilities,
    apiKey,
    between: async (request, service) => {
      const { body, ...answer } = await service({ ...request, apiKey: sample.apiKey })
      if (!request.path.startsWith('/game/getGames')) return { ...answer, body }
      const games = Object.entries(JSON.parse(body) as Record<string, Json>)
      const repeating = games.map(([id, { home_team_id: team, ...game }]) => {
        const more = { status: `played for ${apiKey}`, network: encodeURIComponent(apiKey) }
        return [id, { ...game, ...more, home_team_id: `${String(team)} ${apiKey}`, [`of_${apiKey}`]: 5 }]
      })
      return { ...answer, body: JSON.stringify(Object.fromEntries(repeating)) }
    },
  })
  const written: unknown[] = []
  const log = { info: (line: object) => void written.push(line), error: () => {} }
  const app = createApp({ upstream: graph.upstream, apiKey, defaults: basketball, log })
  const text = `{ league { games(date: "${today}") { status network homeTeam { teamId } } } }`
  const response = await app.fetch('http://statline.test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  })
  const answer = await response.text()
  const [game] = (JSON.parse(answer) as { data: { league: { games: Json[] } } }).data.league.games
  expect(game).toMatchObject({ status: 'played for [key]', network: '[key]' })
  expect(graph.calls.take()).toEqual(['game/getGames 1'])
  expect(capabilities.drift.lines.map(({ where }) => where)).toEqual(
    expect.arrayContaining(['game.of_[key]', 'game.status: "played for [key]"']),
  )
  const metrics = await (await app.fetch('http://statline.test/metrics')).text()
  expect(metrics).toContain('where="game.of_[key]"')
  written.push(answer, metrics, readFileSync(own, 'utf8'))
  for (const form of [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)])
    expect(written.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join()).not.toContain(
      form.slice(0, 12),
    )
  await app.dispose()
})

test('what a restart knows of a service is not logged again, and another service’s file is not used', async () => {
  const logged: string[] = []
  const again = keptCapabilities(
    file,
    sample.url,
    () => sampleNow,
    () => {},
  )
  again.drift.onNew(({ where }) => logged.push(where))
  await sample.graph({ between: drifting, capabilities: again }).query(query)
  expect(logged).toEqual([])
  const other = keptCapabilities(
    file,
    'http://elsewhere.test/v1',
    () => sampleNow,
    () => {},
  )
  expect(other.drift.lines).toEqual([])
})

test('the embedded service sends nothing otherwise than specified', async () => {
  const graph = sample.graph()
  await graph.query(`{ league { games(date: "${today}") { ${names} odds { history { over } } boxscores { points } playerBoxscores { points }
    prediction { homePercentage } homeTeam { stats { points { value } } elo { elo } roster { lastName college seasons { season } } } } } }`)
  expect(graph.upstream.capabilities.drift.lines).toEqual([])
  expect(graph.upstream.capabilities.differences).toEqual([])
})
