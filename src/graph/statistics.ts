import type { Kind } from '../specification/columns.ts'
import { rankOf } from '../specification/statistics.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { free } from './cost.ts'
import { columnsOf, fieldName } from './handle.ts'
import type { Handle } from './handle.ts'
import { camelCase, plain } from './names.ts'
import { convert } from './conversions.ts'
import type { Fields, RowFields } from './types.ts'

export interface Stat {
  readonly value: number | null
  readonly rank: number | null
}

const numeric = (kind: Extract<Kind, 'number' | 'integer'>, value: unknown) =>
  convert[kind](value) as number | null

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

export const namedStat = builder.objectRef<Stat & { readonly name: string }>('NamedStat').implement({
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
      resolve: ({ value }) => value,
    }),
    rank: t.int({
      description: 'The rank, 1 for the best; null if the statistic is not ranked.',
      resolve: ({ rank }) => rank,
    }),
  }),
})

/** Finds many statistics of a row. A search for each name among all columns would take seconds. */
export function statsOf(
  { entry }: Handle,
  { clientRequest: request }: Context,
): (name: string) => Stat | null {
  const columns = new Map<string, unknown>()
  for (const [name, value] of Object.entries(entry.columns(request.now)))
    if (!columns.has(plain(name))) columns.set(plain(name), value)
  return (name) => {
    const value = columns.get(plain(name))
    return value === undefined ? null : statOf(value, columns.get(plain(rankOf(name))))
  }
}

const statOf = (value: unknown, rank: unknown): Stat => ({
  value: numeric('number', value),
  rank: numeric('integer', rank),
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

/** One field for each statistic: with a rank, or as a plain number if it has none. */
export function statisticFields(
  t: RowFields,
  lists: {
    readonly ranked: readonly string[]
    readonly unranked: readonly string[]
    readonly describe: (name: string) => string
  },
): Fields {
  const fields: Fields = {}
  for (const name of lists.unranked)
    fields[camelCase(name)] = t.float({
      description: `${lists.describe(name)}.`,
      resolve: ({ entry }, _args, { clientRequest: request }) =>
        numeric('number', entry.column(name, request.now)),
    })
  for (const name of lists.ranked) {
    const rank = rankOf(name)
    fields[camelCase(name)] = t.field({
      type: stat,
      description: `${lists.describe(name)}.`,
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
