import type { Entry } from '../../rows/entry.ts'
import type { Printed } from '../../rows/row-version.ts'
import type { ObjectPlan } from './compile.ts'
import type { RawRow } from '../../specification/raw-row.ts'

/**
 * What the same plan has printed of a fresh row's leading columns. Its text is stored the second time,
 * because documents that take turns print differently.
 */
export function printedBefore({ printId }: ObjectPlan, entry: Entry, now: number): Printed | undefined {
  const printed = entry.printed(printId, now)
  // What this request has bought may not be asked for again.
  if (printed === undefined && entry.boughtAt < now) entry.notePrinted(printId)
  return printed
}

/** A row, and the time at which its columns were read. */
interface ReadRow {
  readonly entry: Entry
  /** Its latest fresh columns. */
  readonly row: RawRow
  readonly now: number
}

/** Stores what was printed of a row, unless a column was read from elsewhere. */
export function storePrinted(
  { fields, leading }: ObjectPlan,
  { entry, row, now }: ReadRow,
  printed: Printed,
  text: string,
): void {
  // A row that is missing may be found later.
  const isKnown = (name: string) =>
    row[name] !== undefined || (!entry.isMissing(now) && entry.column(name, now) !== undefined)
  const columns = fields.slice(0, leading)
  if (columns.every(({ column }) => column !== null && isKnown(column.name)))
    entry.storePrinted(printed, text)
}
