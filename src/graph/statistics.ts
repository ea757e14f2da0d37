import type { GraphQLResolveInfo } from 'graphql'
import type { Statistics } from '../specification/sport-statistics.ts'
import { rankOf } from '../specification/statistics.ts'
import { tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { UnknownNameError } from '../errors/errors.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { free } from './cost.ts'
import { columnsOf, fieldName } from './handle.ts'
import type { Handle } from './handle.ts'
import { camelCase, plain } from './names.ts'
import { isListed, listOf, nearestStatistic } from './statistic-names.ts'
import type { StatisticTable } from './statistic-names.ts'
import { convert } from './conversions.ts'
import type { Fields, RowFields } from './types.ts'

export interface Stat {
  readonly value: number | null
  readonly rank: number | null
}

export const stat = builder.objectRef<Stat>('Stat').implement({
  cost: free,
  description: 'A statistic and its rank.',
  fields: (t) => ({
    value: t.float({
      description: 'The value; null if the service has none.',
      resolve: ({ value }) => value,
    }),
    rank: t.int({
      description:
        'The rank in the division on that day, 1 for the best; null if the statistic is not ranked.',
      resolve: ({ rank }) => rank,
    }),
  }),
})

interface NamedStat extends Stat {
  readonly name: string
  /** Throws for a name that is unknown. */
  readonly check?: () => void
}

export const namedStat = builder.objectRef<NamedStat>('NamedStat').implement({
  cost: free,
  description: 'A statistic with its name.',
  fields: (t) => ({
    name: t.string({
      nullable: false,
      description: 'The name as in the query.',
      resolve: ({ name }) => name,
    }),
    value: t.float({
      description: 'The value; null if the service has none.',
      resolve({ value, check }) {
        check?.()
        return value
      },
    }),
    rank: t.int({
      description: 'The rank, 1 for the best; null if the statistic is not ranked.',
      resolve({ rank, check }) {
        check?.()
        return rank
      },
    }),
  }),
})

const statOf = (value: unknown, rank: unknown): Stat => ({
  value: convert.number(value),
  rank: convert.integer(rank),
})

/** A column of a row, found by its name in either spelling. */
export function columnNamed(columns: Readonly<Record<string, unknown>>, name: string): unknown {
  const wanted = plain(name)
  for (const column of Object.keys(columns)) if (plain(column) === wanted) return columns[column]
  return undefined
}

/** A statistic by its name; null if the row has no such column. */
export function statNamed({ entry }: Handle, name: string, { clientRequest: request }: Context): Stat | null {
  // A row of statistics does not expire: it is reached only through its owner.
  const columns = entry.columns(request.now)
  const value = columnNamed(columns, name)
  if (value === undefined) return null
  return statOf(value, columnNamed(columns, rankOf(name)))
}

/**
 * Throws for a name that neither a row nor the lists of its table have. Only the first row of a field is told, because
 * the others lack it too.
 */
export function checkName(
  { table, entry }: Handle,
  name: string,
  { clientRequest: request }: Context,
  { fieldNodes: [node] }: GraphQLResolveInfo,
): void {
  const list = listOf(table as StatisticTable) // no other has such a field
  if (isListed(list, name) || !node || !request.reportOnce(node)) return
  const near = nearestStatistic(list, name, statisticsIn(table, entry.columns(request.now)))
  const hint =
    near === undefined ? '`columns` has the names that it has.' : `Is ${JSON.stringify(near)} meant?`
  throw new UnknownNameError(`The row has no statistic ${JSON.stringify(name.slice(0, 80))}. ${hint}`)
}

const statField = (t: RowFields) =>
  t.field({
    type: stat,
    nullable: true,
    description:
      'A statistic by its column’s name, `total_rebounds` or `totalRebounds`; null if the row has no such column. A name that no such row is known to have is an error.',
    args: { name: t.arg.string({ required: true }) },
    resolve(row, { name }, context, info) {
      const found = statNamed(row, name, context)
      if (!found) checkName(row, name, context, info)
      return found
    },
  })

const statsField = (t: RowFields) =>
  t.field({
    type: [namedStat],
    nullable: false,
    description:
      'Statistics by their columns’ names, in the same order. Those that the row does not have are null, as with `stat`.',
    args: { names: t.arg.stringList({ required: true }) },
    resolve(row, { names }, context, info) {
      // A search for each name among all columns would take seconds.
      const columns = new Map<string, unknown>()
      for (const [name, value] of Object.entries(row.entry.columns(context.clientRequest.now)))
        if (!columns.has(plain(name))) columns.set(plain(name), value)
      return names.map((name): NamedStat => {
        const value = columns.get(plain(name))
        if (value !== undefined) return { name, ...statOf(value, columns.get(plain(rankOf(name)))) }
        return { name, value: null, rank: null, check: () => checkName(row, name, context, info) }
      })
    },
  })

const statNamesField = (t: RowFields) =>
  t.stringList({
    nullable: false,
    description: 'The statistics that the row has, by the names of their columns. Costs nothing more.',
    resolve: ({ table, entry }, _args, { clientRequest: request }) =>
      statisticsIn(table, entry.columns(request.now)),
  })

/** The statistics of a row of any kind, by name. */
export const namedFields = (t: RowFields): Fields => ({
  stat: statField(t),
  stats: statsField(t),
  statNames: statNamesField(t),
})

/** The columns of a row that are statistics: numbers that neither identify it nor rank others. */
const statisticsIn = (table: TableName, columns: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(columns).filter(
    (name) =>
      !/_(id|rank)$/.test(name) &&
      !Object.hasOwn(tables[table], name) &&
      (columns[name] === null || convert.number(columns[name]) !== null),
  )

/** One field for each statistic: with a rank, or as a plain number if it has none. */
export function statisticFields(t: RowFields, { ranked, unranked, describe }: Statistics): Fields {
  const fields: Fields = {}
  for (const name of unranked)
    fields[camelCase(name)] = t.float({
      description: `${describe(name)}.`,
      resolve: ({ entry }, _args, { clientRequest: request }) =>
        convert.number(entry.column(name, request.now)),
    })
  for (const name of ranked) {
    const rank = rankOf(name)
    fields[camelCase(name)] = t.field({
      type: stat,
      description: `${describe(name)}.`,
      resolve: ({ entry }, _args, { clientRequest: request }) =>
        statOf(entry.column(name, request.now), entry.column(rank, request.now)),
    })
  }
  return fields
}

export const columnsField = (t: RowFields) =>
  t.field({
    type: 'JSONObject',
    nullable: false,
    description: 'All columns of the row, with the service’s names and values.',
    // Any column will do, because all of a row are equally fresh.
    needs: { columns: ['deleted'] },
    resolve: (row, _args, context, info) => columnsOf(row, context, fieldName(info)),
  })
