import type { Kind } from '../../specification/columns.ts'
import { suppliedBy } from '../../specification/operation.ts'
import type { Arguments, Operation } from '../../specification/operation.ts'
import { keyOf, tables } from '../../specification/tables.ts'
import type { TableName } from '../../specification/tables.ts'

/** The columns of an operation's made-up rows. */
export interface MadeUpColumns {
  /** A row with a value for each of them. */
  readonly blank: Readonly<Record<string, unknown>>
  /** Those with the keys of other rows. */
  readonly keys: readonly string[]
}

/** The columns of made-up rows, found once for each operation: a dry run makes up tens of thousands of rows. */
export function madeUpColumns(
  now: number,
  today: string,
): (of: Operation, values: Arguments) => MadeUpColumns {
  const placeholders = placeholdersOf(now, today)
  const found = new Map<Operation, Map<string, MadeUpColumns>>()
  return (operation, values) => {
    const leftOut = ofAskedLeague(operation, values)
    const form = leftOut.join(' ')
    let forms = found.get(operation)
    if (!forms) found.set(operation, (forms = new Map<string, MadeUpColumns>()))
    let columns = forms.get(form)
    if (!columns) forms.set(form, (columns = columnsOf(operation, leftOut, placeholders)))
    return columns
  }
}

function columnsOf(
  operation: Operation,
  leftOut: readonly string[],
  placeholders: Placeholders,
): MadeUpColumns {
  const table = operation.yields as TableName // a search has no columns
  const kinds: Readonly<Record<string, { readonly kind: Kind }>> = tables[table]
  const names = [...suppliedBy(operation)].filter((name) => !leftOut.includes(name))
  return {
    blank: Object.fromEntries(names.map((name) => [name, placeholders[kinds[name]?.kind ?? 'text'] ?? ''])),
    keys: names.filter((name) => name !== keyOf(table) && kinds[name]?.kind === 'key'),
  }
}

type Placeholders = Readonly<Partial<Record<Kind, string | number>>>

const placeholdersOf = (now: number, today: string): Placeholders => ({
  timestamp: new Date(now).toISOString(),
  day: new Date(today).toISOString(),
  integer: 1,
  number: 1,
  flag: 1,
})

/**
 * The columns that rows without a league of their own lack. The games of a team's season would be filtered out, because
 * the call does not name a league. A conference would be of another league than the one that it is reached in.
 */
function ofAskedLeague({ yields }: Operation, values: Arguments): readonly string[] {
  const isOfAsked = yields === 'conference' || (yields === 'game' && values['season'] !== undefined)
  return isOfAsked ? leagueColumns.filter((name) => values[name] === undefined) : []
}

const leagueColumns = ['organization_id', 'division_id']
