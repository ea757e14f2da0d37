import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { numbersFrom } from './execution/documents.ts'
import { basketball, season, startSample, today } from './harness.ts'
import type { Between, Graph, Sample } from './harness.ts'
import type { Sent } from './recorder.ts'

/** Rounds of random queries: each asks one key for three of them, alone, at once, and one after the other. */
const rounds = Number(process.env['RANDOM_ROUNDS'] ?? 12)

let sample: Sample
let teams: readonly string[]
let games: readonly string[]
beforeAll(async () => {
  sample = await startSample()
  const rows = await sample.rows('game/read', { ...basketball, season })
  const near = rows.filter(({ start_date }) => Math.abs(days(start_date) - days(today)) < 4)
  games = near.map((row) => String(row['game_id'])).toSorted()
  teams = [...new Set(near.map((row) => String(row['home_team_id'])))].toSorted()
})
afterAll(() => sample.close())

const days = (date: unknown) => Math.floor(Date.parse(String(date)) / 86_400_000)

/** What pages ask of a team and of a game. */
const ofTeams = [
  'name',
  'form { wins points }',
  'form(games: 3) { margin }',
  'lineRecord { all { wins overs } }',
  'nextGame { startDatetime prediction { homePercentage } }',
  'lastGame { homeScore awayScore }',
  'games(last: 3) { homeScore lineResult { spread } }',
  'games(next: 2) { startDate prediction { homePercentage } }',
  'games { status startDate }',
  // With the day, because games whose start is not known have an order of their own (docs/assumptions.md).
  'games { startDate odds { pre { over } } }',
  'scheduleStrength { played }',
  'elo { elo }',
  'eloHistory { elo }',
  'stats { points { value rank } }',
  'roster { lastName }',
  'boxscores { gameId }',
  'conference { name }',
]
const ofGames = [
  'homeScore awayScore status',
  'attendance',
  'homeTeam { name }',
  'odds { pre { spreadHome } }',
  'odds { history { over } }',
  'prediction { homePercentage }',
  'lineResult { spread total }',
  'rest { home away }',
  'awayTeamId boxscores { teamId }',
  'boxscore(side: HOME) { teamId }',
  'awayTeamId playerBoxscores { playerId }',
  'homeTeam { form { wins } }',
  'awayTeam { stats { points { value } } }',
]

/** A random query for some teams, some games, or a day of games. */
function queryFrom(random: () => number): string {
  const some = <T>(list: readonly T[], most: number): readonly T[] => {
    const from = Math.floor(random() * list.length)
    return [...list, ...list].slice(from, from + 1 + Math.floor(random() * most))
  }
  const fields = (list: readonly string[]) =>
    [...some(list, 2), ...some(list, 1)].map((text, nth) => aliased(text, nth)).join(' ')
  const kind = random()
  if (kind < 0.45) return `{ teams(ids: ${JSON.stringify(some(teams, 3))}) { ${fields(ofTeams)} } }`
  if (kind < 0.8) return `{ games(ids: ${JSON.stringify(some(games, 5))}) { ${fields(ofGames)} } }`
  const date = new Date((days(today) + Math.floor(random() * 3) - 1) * 86_400_000).toISOString().slice(0, 10)
  return `{ league { games(date: "${date}") { ${fields(ofGames)} } } }`
}

/** Each field with a name of its own, so that two of them with other arguments may stand side by side. */
const aliased = (text: string, nth: number) =>
  text.includes('{')
    ? `f${nth}: ${text}`
    : text
        .split(' ')
        .map((name) => `f${nth}${name}: ${name}`)
        .join(' ')

/** Calls that take so many turns of the event loop, at random. */
function inTurns(random: () => number): Between {
  return async (request, service) => {
    const turns = Math.floor(random() * 40)
    const answer = await service(request)
    for (let nth = 0; nth < turns; nth += 1) await turn()
    return answer
  }
}

const nameOf = ({ operation, arguments: values }: Sent) => `${operation} ${JSON.stringify(values)}`
const twice = (names: readonly string[]) => names.filter((name, nth) => names.indexOf(name) !== nth)

async function answersOf(graph: Graph, texts: readonly string[], how: 'at once' | 'in turn') {
  const ask = async (text: string) => {
    const { data, errors } = await graph.query(text)
    expect(errors, text).toBeUndefined()
    return data
  }
  if (how === 'at once') return Promise.all(texts.map(ask))
  const answers: unknown[] = []
  for (const text of texts) answers.push(await ask(text))
  return answers
}

const bytesOf = ({ calls }: Graph) => calls.sent.reduce((sum, { bytes }) => sum + bytes, 0)

/** Bytes of all rounds: what each query buys alone, and what is bought at once or in turn. */
const all = { alone: 0, shared: 0 }

test.each(Array.from({ length: rounds }, (_, nth) => nth))(
  'random queries of one key share what they need: each answer is as alone, no call goes out twice (round %i)',
  async (seed) => {
    const random = numbersFrom(seed + 1)
    const texts = Array.from({ length: 3 }, () => queryFrom(random))
    const alone: unknown[] = []
    let most = 0
    for (const text of texts) {
      const graph = sample.graph()
      alone.push(...(await answersOf(graph, [text], 'in turn')))
      most += bytesOf(graph)
    }
    for (const how of ['at once', 'in turn'] as const) {
      const graph = sample.graph({ between: inTurns(random) })
      expect(await answersOf(graph, texts, how), texts.join('\n')).toEqual(alone)
      expect(twice(graph.calls.sent.map(nameOf)), `${how}\n${texts.join('\n')}`).toEqual([])
      // A choice between two ways to buy rests on sizes, and other answers teach other sizes.
      expect(bytesOf(graph), `${how}\n${texts.join('\n')}`).toBeLessThanOrEqual(1.3 * most)
      all.alone += most
      all.shared += bytesOf(graph)
    }
  },
)

test('all of them together buy less than each alone', () => {
  expect(all.alone).toBeGreaterThan(0)
  expect(all.shared / all.alone).toBeLessThan(0.97)
})
