import { getNamedType, isLeafType, isNonNullType, isObjectType } from 'graphql'
import type { GraphQLField, GraphQLObjectType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'
import { numbersFrom } from './execution/documents.ts'
import { basketball, graphOver, season, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import { inRounds } from './rounds.ts'

let sample: Sample
let ids: Readonly<Record<'game' | 'team' | 'conference' | 'player' | 'coach', string>>
beforeAll(async () => {
  sample = await startSample()
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const [conference] = await sample.rows('conference/read', basketball)
  const [line] = await sample.rows('player_boxscore/read', { game_id: await playedGame() })
  const [coach] = await sample.rows('coach/read')
  ids = {
    player: String(line?.['player_id']),
    coach: String(coach?.['coach_id']),
    game: String(game?.['game_id']),
    team: String(game?.['home_team_id']),
    conference: String(conference?.['conference_id']),
  }
})
afterAll(() => sample.close())

async function playedGame(): Promise<unknown> {
  const games = await sample.rows('game/read', { ...basketball, season })
  return games.find(({ status, boxscore }) => status === 'final' && boxscore === 1)?.['game_id']
}

interface Parent {
  /** A query of fields of one object of the type. */
  readonly query: (fields: string) => string
  /** How many pairs of fields are asked for. Of a team all are. */
  readonly pairs: number
}

const parents: Readonly<Record<string, Parent>> = {
  Team: { query: (fields) => `{ team(id: "${ids.team}") { ${fields} } }`, pairs: Number.POSITIVE_INFINITY },
  Game: { query: (fields) => `{ game(id: "${ids.game}") { ${fields} } }`, pairs: 80 },
  League: { query: (fields) => `{ league { ${fields} } }`, pairs: 80 },
  Conference: { query: (fields) => `{ conference(id: "${ids.conference}") { ${fields} } }`, pairs: 40 },
  Player: { query: (fields) => `{ player(id: "${ids.player}") { ${fields} } }`, pairs: 40 },
  Coach: { query: (fields) => `{ coach(id: "${ids.coach}") { ${fields} } }`, pairs: 6 },
}

/** More of a team than its fields without arguments. */
const teamGames = [
  'games(next: 1) { gameId }',
  'games(last: 2) { homeScore }',
  'games(next: 1) { prediction { homePercentage } }',
  'games { odds { pre { over } } }',
  'name games { awayTeam { name } }',
]

type Field = GraphQLField<unknown, unknown>

/** The arguments that a field needs; null if one of them has no obvious value. */
function argumentsOf({ args }: Field): string | null {
  const needed = args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
  if (needed.some(({ type }) => String(type) !== 'Date!')) return null
  return needed.length === 0 ? '' : `(${needed.map(({ name }) => `${name}: "${today}"`).join(', ')})`
}

/** The leaves to ask for, where a type's first id and first other column would not need every kind of call. */
const leaves: Readonly<Record<string, readonly string[]>> = {
  Team: ['teamId', 'name', 'conferenceId'],
  Game: ['gameId', 'homeScore', 'attendance'],
}

const leavesOf = (type: GraphQLObjectType): readonly string[] => {
  const names = Object.values(type.getFields()).flatMap((field) =>
    isLeafType(getNamedType(field.type)) && argumentsOf(field) === '' && field.name !== 'id'
      ? field.name
      : [],
  )
  const isId = (name: string) => name.endsWith('Id')
  const [key, column] = [names.find(isId), names.find((name) => !isId(name))]
  return leaves[type.name] ?? [key, column].flatMap((name) => name ?? [])
}

/** Selections of each field of a type. Of its own columns a few stand for all. */
function selectionsOf(type: GraphQLObjectType): readonly string[] {
  const linked = Object.values(type.getFields()).flatMap((field) => {
    const [under, values] = [getNamedType(field.type), argumentsOf(field)]
    if (values === null || !isObjectType(under)) return []
    return leavesOf(under).map((leaf) => `${field.name}${values} { ${leaf} }`)
  })
  return [...leavesOf(type), ...linked, ...(type.name === 'Team' ? teamGames : [])]
}

interface Cost {
  readonly tokens: number
  readonly calls: readonly string[]
  /** Of the first query. */
  readonly trips: number
}

/** What queries cost one after the other, without the calls that find the current season side by side. */
async function costOf(texts: readonly string[]): Promise<Cost> {
  const counted = inRounds(sample.transport)
  const graph = graphOver(counted.transport, { concurrency: 10_000 })
  let [tokens, trips] = [0, 0]
  for (const text of texts) {
    const { errors, extensions } = await graph.query(text)
    expect(errors, text).toBeUndefined()
    tokens += extensions.usage.tokens
    trips ||= counted.bill().rounds
  }
  const all = graph.calls.take()
  const calls = all.filter((call) => call !== 'elo/get 1')
  return { tokens: tokens - (all.length - calls.length), calls, trips }
}

const readsGamesById = ({ calls }: Cost) => calls.some((call) => /^game\/read (?!1$)/.test(call))

/**
 * Where two fields may cost more together: what saves the tokens would add a round trip, or let a team's row wait
 * for the search for another team.
 */
const accepted: Readonly<
  Record<string, (pair: readonly [string, string], together: Cost, best: Cost) => boolean>
> = {
  'scores and rows are read side by side, not the rows after the scores': (_, together, best) =>
    together.calls.includes('game/getScores 1') && !readsGamesById(together) && readsGamesById(best),
  'the search for one side’s conference brings the other side': (pair) =>
    ['homeTeam', 'awayTeam'].every((side) => pair.some((text) => text.startsWith(side))) &&
    pair.some((text) => text.includes('conferenceId')),
  'the search for a conference brings opponents, but only after a third round trip': (pair, together, best) =>
    pair[0].startsWith('conference') && pair[1].includes('awayTeam') && together.tokens < 1.25 * best.tokens,
  'the search for all teams’ conferences brings some days’ games': (pair) =>
    pair.includes('teams { conferenceId }'),
}

test.each(Object.entries(parents))(
  'two fields of a %s cost no more together than one after the other, and take no more round trips than one',
  async (name, { query, pairs: most }) => {
    const type = schema.getType(name)
    if (!isObjectType(type)) throw new Error(`The graph has no type ${name}.`)
    const selections = selectionsOf(type)
    const pairs = selections.flatMap((one, index) =>
      selections.slice(index + 1).map((other): readonly [string, string] => [one, other]),
    )
    const random = numbersFrom(7)
    const picked = pairs
      .map((pair) => ({ pair, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, most)
    expect(picked.length).toBeGreaterThanOrEqual(Math.min(most, 40))
    const dearer: unknown[] = []
    const later: unknown[] = []
    for (const { pair } of picked) {
      const [one, other] = [query(`one: ${pair[0]}`), query(`other: ${pair[1]}`)]
      const together = await costOf([query(`one: ${pair[0]} other: ${pair[1]}`)])
      const [first, second] = [await costOf([one, other]), await costOf([other, one])]
      const best = first.tokens < second.tokens ? first : second
      const isAccepted = Object.values(accepted).some((isSuch) => isSuch(pair, together, best))
      if (together.trips > Math.max(first.trips, second.trips)) later.push({ pair, together, first, second })
      if (together.tokens > best.tokens && !isAccepted) dearer.push({ pair, together, best })
    }
    expect(dearer).toEqual([])
    expect(later).toEqual([])
  },
)

/** A random path from a type to one of its own or of a nested object's leaves. */
function pathFrom(type: GraphQLObjectType, depth: number, random: () => number): string {
  const pick = <T>(some: readonly T[]) => some[Math.floor(random() * some.length)]
  const links = Object.values(type.getFields()).flatMap((field) => {
    const [under, values] = [getNamedType(field.type), argumentsOf(field)]
    return isObjectType(under) && values !== null ? { text: `${field.name}${values}`, under } : []
  })
  const link = depth > 0 && random() > 0.25 ? pick(links) : undefined
  if (!link) return pick(leavesOf(type)) ?? '__typename'
  return `${link.text} { ${pathFrom(link.under, depth - 1, random)} }`
}

/** Whether an additional round trip saves more than a quarter, and at least two tokens. */
const isWorthIt = (tokens: number, apart: number) => apart - tokens > apart / 4 && apart - tokens >= 2

test('nested fields cost no more together than each alone, and take no more round trips than the slowest', async () => {
  const random = numbersFrom(11)
  const names = Object.keys(parents)
  const dearer: unknown[] = []
  const later: unknown[] = []
  for (let nth = 0; nth < 240; nth += 1) {
    const name = names[nth % names.length] ?? ''
    const { query } = parents[name] ?? {}
    const type = schema.getType(name)
    if (!query || !isObjectType(type)) throw new Error(`The graph has no type ${name}.`)
    const nested = Array.from({ length: 2 + (nth % 2) }, () => pathFrom(type, 3, random))
    const parts = [...nested, ...leavesOf(type).slice(1, 2)].map((part, index) => `a${index}: ${part}`)
    const together = await costOf([query(parts.join(' '))])
    const alone = await Promise.all(parts.map((part) => costOf([query(part)])))
    const tokens = alone.reduce((sum, cost) => sum + cost.tokens, 0)
    if (together.tokens > tokens) dearer.push({ parts, together, alone })
    const isLater = together.trips > Math.max(...alone.map(({ trips }) => trips))
    if (isLater && !isWorthIt(together.tokens, tokens)) later.push({ parts, together, alone })
  }
  expect(dearer).toEqual([])
  expect(later).toEqual([])
})
