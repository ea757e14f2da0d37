import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import { Refusal } from '../refusal.ts'
import { foldName, partOf, SHORTEST_PART } from '../store/names.ts'
import type { NamedTable, Schema } from '../store/schema.ts'
import { isIn } from './selection.ts'
import type { Arguments, Operation, OperationClass } from './operation.ts'

const groups = ['team', 'player', 'coach'] as const
const MOST = 6
const LONGEST = 100

const search: Operation = {
  accepts: {
    name: 'text',
    organization_id: 'key',
    division_id: 'key',
    team: 'flag',
    player: 'flag',
    coach: 'flag',
  },
  requires: ['name', 'organization_id', 'division_id'],
  async answer({ db }, given) {
    const name = foldName(String(given.get('name')?.[0] ?? ''))
    if (name === '' || name.length > LONGEST)
      throw new Refusal('invalid_argument', `Argument "name" takes 1 to ${LONGEST} characters.`)
    const wanted = wantedGroups(given)
    const teams = wanted.has('team') ? await searchTeams(db, name, given) : null
    const players = wanted.has('player') ? await searchPeople(db, 'player', name, given) : null
    const coaches = wanted.has('coach') ? await searchPeople(db, 'coach', name, given) : null
    return JSON.stringify({ teams, players, coaches })
  },
}

/**
 * Only the first group passed as 1 is searched (specification §4, rule 5); without one, all but those passed
 * as 0.
 */
function wantedGroups(given: Arguments): ReadonlySet<string> {
  const passed = (flag: number) => groups.filter((group) => given.get(group)?.includes(flag))
  const [[only], refused] = [passed(1), passed(0)]
  return new Set(only ? [only] : groups.filter((group) => !refused.includes(group)))
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)

const like = (column: string, pattern: string) => sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`

const anyOf = (parts: readonly RawBuilder<SqlBool>[]) => sql<SqlBool>`(${sql.join(parts, sql` or `)})`

const LAST = '\u{10ffff}'

/**
 * The rows of a table with a word that contains the longest word of `name`; null if that word is too short.
 */
function candidates(kind: NamedTable, name: string): RawBuilder<unknown> | null {
  const [longest = ''] = name.split(' ').toSorted((one, other) => other.length - one.length)
  const part = partOf(longest)
  if ([...part].length < SHORTEST_PART) return null
  return sql`select distinct id from name_part
    where kind = ${kind} and part >= ${part} and part < ${part + LAST}`
}

/**
 * The people whose names may match. Few candidates are read one by one; for many, a scan of all is faster.
 */
function people(kind: 'player' | 'coach', name: string): RawBuilder<unknown> {
  const some = candidates(kind, name)
  const person = sql`${sql.table(kind)} as person`
  return some ? sql`(${some}) as named join ${person} on person.${sql.ref(`${kind}_id`)} = named.id` : person
}

async function searchTeams(db: Kysely<Schema>, name: string, given: Arguments) {
  const part = escaped(name)
  const some = candidates('team', name)
  return db
    .selectFrom('team')
    .select(['team_id', 'char6', 'code', 'name', 'alt_name', 'primary_color'])
    .where('deleted', '=', 0)
    .where(some ? sql<SqlBool>`team_id in (${some})` : sql<SqlBool>`1 = 1`)
    .where(like('folded', `%${part}%`))
    .where('team_id', 'in', (on) =>
      on
        .selectFrom('membership')
        .select('team_id')
        .where(isIn('organization_id', given.get('organization_id') ?? []))
        .where(isIn('division_id', given.get('division_id') ?? [])),
    )
    .orderBy(nearness('folded', [`${part}\n%`, `%\n${part}`, `%\n${part}\n%`], [`${part}%`]), 'desc')
    .orderBy('name')
    .orderBy('team_id')
    .limit(MOST)
    .execute()
}

/** How well a name matches, 30 to 100: whole, at its start, or elsewhere. */
function nearness(column: string, whole: readonly string[], start: readonly string[]): RawBuilder<number> {
  const isWhole = anyOf(whole.map((pattern) => like(column, pattern)))
  const isStart = anyOf(start.map((pattern) => like(column, pattern)))
  return sql<number>`case when ${isWhole} then 100 when ${isStart} then 60 else 30 end`
}

/** A person's names are on separate lines, the first name first. */
function personPatterns(name: string) {
  const words = name.split(' ')
  const splits = words.slice(1).map((_, nth) => [words.slice(0, nth + 1), words.slice(nth + 1)].map(joined))
  const pairs = splits.flatMap(([head = '', tail = '']) => [[head, tail] as const, [tail, head] as const])
  const part = escaped(name)
  return {
    matches: [`%${part}%`, ...pairs.map(([first, last]) => `%${first}%\n%${last}%`)],
    exact: [`%\n${part}`, ...pairs.map(([first, last]) => `${first}\n${last}`)],
    exactFirst: [`${part}\n%`],
    start: [`${part}%`, `%\n${part}%`, ...pairs.map(([first, last]) => `${first}%\n${last}%`)],
  }
}

const joined = (words: readonly string[]) => escaped(words.join(' '))

/**
 * Scores, from the highest: an exact last name, an exact first name, the start of a name, any part of one.
 */
function relevance(column: string, patterns: ReturnType<typeof personPatterns>): RawBuilder<number> {
  const matches = (list: readonly string[]) => anyOf(list.map((pattern) => like(column, pattern)))
  return sql<number>`case when ${matches(patterns.exact)} then 100 when ${matches(patterns.exactFirst)} then 80
    when ${matches(patterns.start)} then 60 else 30 end`
}

const appearances = { player: 'player_team_season', coach: 'coach_season' } as const

interface Person {
  first_name: string | null
  last_name: string | null
  begin: number
  end: number
  /** For players only. */
  relevance_score?: number
}

async function searchPeople(db: Kysely<Schema>, kind: 'player' | 'coach', name: string, given: Arguments) {
  const patterns = personPatterns(name)
  const [id, seasons] = [`${kind}_id`, appearances[kind]]
  const organization = isIn('membership.organization_id', given.get('organization_id') ?? [])
  const division = isIn('membership.division_id', given.get('division_id') ?? [])
  const score = relevance('person.folded', patterns)
  const query = sql<Person>`
    select person.${sql.ref(id)}, person.first_name, person.last_name, min(membership.season) as "begin",
      max(membership.season) as "end" ${kind === 'player' ? sql`, ${score} as relevance_score` : sql``}
    from ${people(kind, name)}
    join ${sql.table(seasons)} as season on season.${sql.ref(id)} = person.${sql.ref(id)}
    join membership on membership.team_id = season.team_id and membership.season = season.season and ${organization}
    where person.deleted = 0 and ${anyOf(patterns.matches.map((pattern) => like('person.folded', pattern)))}
    group by person.${sql.ref(id)}, person.first_name, person.last_name, person.folded
    having max(case when ${division} then 1 else 0 end) = 1
    order by ${score} desc, max(membership.season) desc, person.last_name, person.first_name, person.${sql.ref(id)}
    limit ${MOST}`
  return (await query.execute(db)).rows
}

export const searching: OperationClass = { search }
