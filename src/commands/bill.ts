import { parseArgs } from 'node:util'
import { monthOf } from '../money/ledger-store.ts'
import { readLedger } from '../money/read-ledger.ts'
import { csvOf, grouped, groupings, jsonOf, tableOf } from './bill-table.ts'
import type { Grouping } from './bill-table.ts'
import { UsageError } from './usage-error.ts'

const usage = `statline bill [--month YYYY-MM] [--by ${groupings.join(',')}] [--csv | --json]`

/** The text of a bill: who spent what in a month, by the ledger in a folder. Throws UsageError and NoLedgerError. */
export function bill(args: readonly string[], folder: string, now: number): string {
  const { month = monthOf(now), by = 'client,operation', csv, json } = valuesOf(args)
  if (!/^\d{4}-\d{2}$/.test(month)) throw new UsageError(`--month must be YYYY-MM.\n${usage}`)
  const names = by.split(',').map(groupingOf)
  const lines = grouped(readLedger(folder, `${month}-01`, `${month}-31`), names)
  if (csv) return csvOf(lines, names)
  return json ? jsonOf(lines, names) : `Tokens of ${month} (UTC)\n\n${tableOf(lines, names)}`
}

function valuesOf(args: readonly string[]) {
  const options = {
    month: { type: 'string' },
    by: { type: 'string' },
    csv: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`) // parseArgs throws nothing else
  }
}

function groupingOf(name: string): Grouping {
  const grouping = groupings.find((one) => one === name.trim())
  if (grouping) return grouping
  throw new UsageError(`--by takes ${groupings.join(', ')}, not ${JSON.stringify(name)}.\n${usage}`)
}
