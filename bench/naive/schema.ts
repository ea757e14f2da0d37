import { buildSchema, getNamedType, isInterfaceType, isObjectType } from 'graphql'
import type { GraphQLField, GraphQLFieldResolver, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { rankOf } from '../../src/specification/statistics.ts'
import { statisticsOf } from '../../src/specification/sport-statistics.ts'
import { sportColumns, statisticClasses, tables } from '../../src/specification/tables.ts'
import type { TableName } from '../../src/specification/tables.ts'
import { league, links, matches, queries, search } from './links.ts'
import type { Resolver } from './links.ts'
import { column, find } from './thing.ts'
import type { Layer, Thing } from './thing.ts'

/**
 * The graph as it is usually built: the same types, with a resolver for each field that loads what it needs
 * without knowing of the others. Rows are loaded by their keys.
 */
export function naiveSchema(printed: string): GraphQLSchema {
  const schema = buildSchema(printed, { assumeValid: true })
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInterfaceType(type)) type.resolveType = ({ row, table }: Thing) => typeOf(table, row)
    if (isObjectType(type) && !type.name.startsWith('__'))
      for (const field of Object.values(type.getFields())) field.resolve = resolverOf(type, field)
  }
  return schema
}

type Resolve = GraphQLFieldResolver<unknown, Layer>

function resolverOf(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): Resolve {
  const own = ownResolvers[type.name]?.[field.name]
  // Each type's resolvers take its own parents.
  if (own) return own as unknown as Resolve
  if (plainTypes.has(type.name)) return (parent) => (parent as Record<string, unknown>)[field.name]
  return rowResolver(field) as unknown as Resolve
}

const ownResolvers: Readonly<Record<string, Readonly<Record<string, Resolver<never>>>>> = {
  Query: queries,
  League: league,
  SearchResult: search,
  ...matches,
  ...links,
}

/** Types whose objects are made by a resolver above and are not rows. */
const plainTypes = new Set([
  'Query',
  'League',
  'SearchResult',
  'PlayerMatch',
  'CoachMatch',
  'ConferenceProjection',
  'RankingConnection',
  'RankingEdge',
  'Stat',
  'NamedStat',
])

/** A row's field: a statistic with its rank, another row by its key, or a column. */
function rowResolver({ name, type }: GraphQLField<unknown, unknown>): Resolver<Thing> {
  if (name === 'columns') return ({ row }) => row
  if (name === 'stats')
    return ({ row }, { names }) => names.map((one) => ({ name: one, ...statIn(row, one) }))
  const named = getNamedType(type)
  if (name === 'stat')
    return named.name === 'Stat'
      ? ({ row }, given) => statIn(row, given.name)
      : ({ row }, given) => row[given.name]
  if (named.name === 'Stat') return ({ row }) => statIn(row, columnOf(name)) ?? { value: null, rank: null }
  if (isObjectType(named)) return linkResolver(name, named.name)
  const own = columnOf(name)
  if (name === 'startDate')
    return async (parent, _given, layer) => String(await column(parent, own, layer)).slice(0, 10)
  return (parent, _given, layer) => column(parent, own, layer)
}

function linkResolver(name: string, type: string): Resolver<Thing> {
  const key = columnOf(`${name}Id`)
  const table = tableOf[type]
  // What is computed from rows, such as standings, is asked of no layer here.
  if (!table) return () => Promise.reject(new Error(`Nothing answers a field of type ${type}.`))
  return async (parent, _given, layer) => {
    const id = await column(parent, key, layer)
    if (typeof id !== 'string') return null
    const found = await find(table, id, parent.place, layer)
    const within = parent.row['teams'] as Record<string, object> | undefined // of a game inside getGames
    const conference = within?.[id] && { conference_id: Reflect.get(within[id], 'conference_id') }
    return found && conference ? { ...found, row: { ...found.row, ...conference } } : found
  }
}

const statIn = (row: Record<string, unknown>, name: string) =>
  row[name] === undefined ? null : { value: row[name], rank: row[rankOf(name)] ?? null }

const tableOf: Readonly<Record<string, TableName>> = {
  Organization: 'organization',
  Division: 'division',
  Game: 'game',
  Team: 'team',
  Player: 'player',
  Coach: 'coach',
  Conference: 'conference',
}

function typeOf(table: TableName, row: Record<string, unknown>): string {
  const sport = ['football', 'basketball'].find((name) => row[`${name}_${table}_id`] != null)
  const prefix = sport ? `${sport[0]?.toUpperCase()}${sport.slice(1)}` : 'Other'
  if (table === 'boxscore') return `${prefix}TeamBoxscore`
  if (table === 'player_boxscore')
    return sport === 'basketball' ? `${prefix}PlayerBoxscore` : 'OtherPlayerBoxscore'
  return `${rankings[table] ?? ''}StatRanking`
}

const rankings: Readonly<Partial<Record<TableName, string>>> = {
  statistic_ranking: 'Team',
  player_statistic_ranking: 'Player',
  coach_statistic_ranking: 'Coach',
  conference_statistic_ranking: 'Conference',
  league_statistic_ranking: 'League',
  conference_player_statistic_ranking: 'ConferencePlayer',
  league_player_statistic_ranking: 'LeaguePlayer',
}

const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const names = [
  ...[...Object.values(tables), ...Object.values(sportColumns)].flatMap((columns) => Object.keys(columns)),
  ...statisticClasses.map(statisticsOf).flatMap(({ ranked, unranked }) => ranked.concat(unranked)),
]
const columnsByField = new Map([
  ...names.map((name) => [camelCase(name), name] as const),
  ['hasBoxscore', 'boxscore'],
])

function columnOf(field: string): string {
  return columnsByField.get(field) ?? field
}
