import type { Columns, Kind } from '../../specification/columns.ts'
import type { Operation } from '../../specification/operation.ts'
import { sportColumns, tables } from '../../specification/tables.ts'

const known = new Map<string, ReadonlyMap<string, Kind>>()

/** The kinds of all columns that the specification lists for an operation's rows, in every sport. */
export function kindsOf({ yields }: Operation): ReadonlyMap<string, Kind> {
  let kinds = known.get(yields)
  if (!kinds) known.set(yields, (kinds = new Map(yields === 'search' ? [] : columnsOf(yields))))
  return kinds
}

function columnsOf(table: keyof typeof tables): [string, Kind][] {
  const parts = Object.entries<Columns>(sportColumns).filter(
    ([name]) => name.slice(name.indexOf('_') + 1) === table,
  )
  return [tables[table] as Columns, ...parts.map(([, columns]) => columns)].flatMap((columns) =>
    Object.entries(columns).map(([name, { kind }]): [string, Kind] => [name, kind]),
  )
}
