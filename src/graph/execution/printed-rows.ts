import type { Entry, RawRow } from '../../rows/entry.ts'
import { timeOf } from '../../rows/moment.ts'
import type { Moment } from '../../rows/moment.ts'
import type { ObjectPlan } from './compile.ts'

/**
 * The JSON of a fresh row's leading columns, if the same plan has printed it before; null if it should be
 * stored when it is printed now, undefined if it should not. It is stored the second time, because documents
 * that take turns print differently.
 */
export function printedBefore(
  { id }: ObjectPlan,
  entry: Entry,
  row: RawRow,
  now: Moment,
): string | null | undefined {
  const printed = entry.printed(id)
  // What this request has bought may not be asked for again.
  if (printed === undefined && entry.boughtAt < timeOf(now)) entry.notePrinted(id, row, null)
  return printed
}

/** Stores what was printed of a row, unless a column was read from elsewhere. */
export function storePrinted({ id, fields, leading }: ObjectPlan, entry: Entry, row: RawRow, text: string) {
  const columns = fields.slice(0, leading)
  if (columns.every(({ column }) => column !== null && row[column.name] !== undefined))
    entry.notePrinted(id, row, text)
}
