import { parseArgs } from 'node:util'
import {
  billQuestion,
  BillQuestionError,
  csvOf,
  grouped,
  groupings,
  jsonOf,
  usualGroupings,
} from '../money/bill-lines.ts'
import { monthOf } from '../money/ledger-store.ts'
import { readLedger } from '../money/read-ledger.ts'
import { tableOf } from './bill-table.ts'
import { UsageError } from './usage-error.ts'

const usage = `statline bill [--month YYYY-MM] [--by ${groupings.join(',')}] [--csv | --json]`

/** The text of a bill: who spent what in a month, by the ledger in a folder. Throws UsageError and NoLedgerError. */
export function bill(args: readonly string[], folder: string, now: number): string {
  const { month = monthOf(now), by: names = usualGroupings, csv, json } = valuesOf(args)
  const { from, to, by } = asked(month, names)
  const lines = grouped(readLedger(folder, from, to), by)
  if (csv) return csvOf(lines, by)
  return json ? jsonOf(lines, by) : `Tokens of ${month} (UTC)\n\n${tableOf(lines, by)}`
}

function asked(month: string, names: string) {
  try {
    return billQuestion(month, names)
  } catch (error) {
    if (error instanceof BillQuestionError) throw new UsageError(`${error.message}\n${usage}`)
    throw error
  }
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
