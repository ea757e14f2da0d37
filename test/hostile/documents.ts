import { numbersFrom } from '../graph/execution/documents.ts'

/** A request that asks for much more than its own length. */
export interface Hostile {
  readonly kind: string
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** Whether it is refused before it is executed. */
  readonly isRefusedAtOnce?: boolean
}

/** Rows of the sample league. */
export interface Subjects {
  readonly season: number
  readonly date: string
  readonly teams: readonly string[]
  readonly games: readonly string[]
}

type Random = (from: number, to: number) => number

const list = <T>(length: number, item: (nth: number) => T): T[] =>
  Array.from({ length }, (_, nth) => item(nth))

/** The same under many names. */
const aliases = (count: number, text: string, name = (nth: number) => `a${nth}`) =>
  list(count, (nth) => `${name(nth)}: ${text}`).join(' ')

const unknownId = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`

/** Fragments of which each has the next one under `names`. */
function chained(
  type: string,
  levels: number,
  field: string,
  names: readonly string[],
  leaf: string,
): string {
  const parts = list(levels, (nth) => {
    const below = nth === levels - 1 ? leaf : `...F${nth + 1}`
    return `fragment F${nth} on ${type} { ${names.map((name) => `${name}: ${field.replace('*', below)}`).join(' ')} }`
  })
  return parts.join(' ')
}

/** Hostile requests, the same for the same seed. Sizes vary with it; how they end and what they buy does not. */
export function hostileDocuments({ season, date, teams, games }: Subjects, seed: number): Hostile[] {
  const numbers = numbersFrom(seed)
  const random: Random = (from, to) => from + Math.floor(numbers() * (to - from + 1))
  const [team] = teams
  const [game] = games
  const nested = (depth: number): string =>
    depth === 0 ? 'teamId' : `games(season: ${season}) { homeTeam { ${nested(depth - 1)} } }`
  const below = nested(random(6, 7))
  const ids = 'query ($ids: [ID!]!) { teams(ids: $ids) { name } }'
  const entities = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Team { name } } }'
  return [
    { kind: 'games of the teams of games', query: `{ league { teams(season: ${season}) { ${below} } } }` },
    {
      kind: 'an expensive field under many names',
      query: `{ league { teams(season: ${season}) { ${aliases(random(60, 90), `games(season: ${season}) { gameId }`)} } } }`,
    },
    {
      kind: 'many days',
      query: `{ league { ${list(450, (nth) => {
        const day = new Date(Date.UTC(2024, 0, 1 + nth)).toISOString().slice(0, 10)
        return `d${nth}${'x'.repeat(random(0, 9))}: games(date: "${day}") { gameId }`
      }).join(' ')} } }`,
    },
    {
      kind: 'long names of many values',
      query: `{ league { teams(season: ${season}) { ${nested(1).replace(
        'teamId',
        aliases(random(20, 25), 'name', (nth) => `n${nth}${'x'.repeat(950)}`),
      )} } } }`,
    },
    {
      kind: 'a computed field of many rows',
      query: `{ league { teams(season: ${season}) { games(season: ${season}) { rest { home away } stage startDate } } } }`,
    },
    { kind: '2,000 unknown ids', query: ids, variables: { ids: list(2_000, unknownId) } },
    { kind: '200,000 ids', isRefusedAtOnce: true, query: ids, variables: { ids: list(200_000, () => 'x') } },
    {
      kind: 'ids under many names',
      isRefusedAtOnce: true,
      query: `query ($ids: [ID!]!) { ${aliases(random(130, 200), 'teams(ids: $ids) { name }')} }`,
      variables: { ids: list(2_000, unknownId) },
    },
    {
      kind: 'ids that have to be read, under many names',
      query: `query ($ids: [ID!]!) { ${aliases(random(20, 110), 'teams(ids: $ids) { name }')} }`,
      variables: { ids: list(2_000, (nth) => unknownId(nth + 2_000)) },
    },
    {
      kind: 'the same id under many names',
      query: `{ ${aliases(random(700, 800), `team(id: "${team}") { name code }`)} }`,
    },
    {
      kind: 'fragments that multiply',
      isRefusedAtOnce: true,
      query: `{ team(id: "${team}") { ...F0 } } ${chained('Team', 9, `games(season: ${season}, last: 1) { homeTeam { * } }`, ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, random(4, 6)), 'teamId')}`,
    },
    {
      kind: 'fragments of introspection that multiply',
      isRefusedAtOnce: true,
      query: `{ __type(name: "Team") { ...F0 } } ${chained('__Type', random(60, 100), 'ofType { * }', ['a', 'b'], 'name')}`,
    },
    {
      kind: 'fragments with conditions',
      query: `query ($a: Boolean!, $b: Boolean!) { team(id: "${team}") { ${list(
        random(200, 240),
        (nth) =>
          `... on Team @include(if: $a) { ... @skip(if: $b) { c${nth}: games(season: ${season}, last: 1) { gameId } } }`,
      ).join(' ')} } }`,
      variables: { a: true, b: false },
    },
    {
      kind: 'fields to be merged',
      isRefusedAtOnce: true,
      query: `{ league { organization { ${'name '.repeat(random(8_000, 9_000))} } } }`,
    },
    {
      kind: 'objects to be merged',
      isRefusedAtOnce: true,
      query: `{ ${`team(id: "${team}") { name } `.repeat(random(900, 1_000))} }`,
    },
    {
      kind: 'fragments to be merged',
      isRefusedAtOnce: true,
      query: `{ team(id: "${team}") { ${list(500, (nth) => `...F${nth}`).join(' ')} } } ${list(500, (nth) => `fragment F${nth} on Team { name code ${nth % 2 ? 'guid' : 'char6'} }`).join(' ')}`,
    },
    {
      kind: 'unknown fields',
      isRefusedAtOnce: true,
      query: `{ league { ${list(random(2_000, 3_000), (nth) => `game${nth}`).join(' ')} } }`,
    },
    {
      kind: 'introspection of introspection',
      query: `{ __schema { types { ${aliases(30, `fields { type { ${aliases(random(20, 40), 'fields { name }')} } }`)} } } }`,
    },
    {
      kind: 'variables that are deep',
      isRefusedAtOnce: true,
      query: ids,
      variables: { ids: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) as unknown },
    },
    {
      kind: 'variables that are long',
      query: ids,
      variables: { ids: ['x'.repeat(random(800_000, 900_000))] },
    },
    {
      kind: 'variables of the wrong types',
      query: ids,
      variables: { ids: list(random(50_000, 60_000), (nth) => (nth % 2 === 0 ? null : { a: [nth] })) },
    },
    {
      kind: 'many wrong ids',
      query: ids,
      variables: { ids: list(2_000, (nth) => `wrong ${nth}`) },
    },
    {
      kind: '10,000 representations',
      isRefusedAtOnce: true,
      query: entities,
      variables: { of: list(10_000, (nth) => ({ __typename: 'Team', teamId: unknownId(nth) })) },
    },
    {
      kind: 'representations with columns of their own',
      query: entities.replace('name', nested(5)),
      variables: { of: list(1_500, () => ({ __typename: 'Team', teamId: team, name: 'x' })) },
    },
    {
      kind: 'events that multiply',
      query: `subscription { scores(date: "${date}") { homeTeam { ${below} } } }`,
    },
    {
      kind: 'events of a game under many names',
      query: `subscription { game(id: "${game}") { ${aliases(random(60, 90), `homeTeam { ${nested(1)} }`)} } }`,
    },
  ]
}
