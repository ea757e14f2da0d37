import {
  billLines,
  billQuestion,
  BillQuestionError,
  csvOf,
  groupings,
  jsonOf,
  usualGroupings,
} from '../money/bill-lines.ts'
import type { BillQuestion } from '../money/bill-lines.ts'
import { monthOf } from '../money/ledger-store.ts'
import { periodOf } from '../money/period.ts'
import type { Spending } from '../money/ledger-store.ts'
import type { DriftLine } from '../capabilities/drift.ts'
import { tableOf } from './bill-table.ts'
import { driftCsv, driftTable } from './drift-table.ts'
import { parsedArgs } from './options.ts'
import { UsageError } from './usage-error.ts'

export const billUsage = `statline bill [--month YYYY-MM | --day YYYY-MM-DD | --hour YYYY-MM-DDTHH] [--compare]
              [--by ${groupings.join(',')}] [--csv | --json]
statline bill --drift [--csv | --json]`

export const billHelp = `${billUsage}

  --month, --day, --hour  the period, in UTC; this month unless given
  --by                    what tokens are summed up by: client (graphql-client-name), operation (the GraphQL
                          operation), service (the service's operation), day, hour, key; several with commas
  --compare               with the month, the day or the hour before
  --csv, --json           for other programs; with bytes and estimated tokens
  --drift                 how the service's answers differ from its specification`

/** Where the bill's data comes from. */
export interface Sources {
  readonly read: (from: string, to: string) => Promise<readonly Spending[]>
  /** How the service's answers differ from the specification. */
  readonly drift: () => readonly DriftLine[]
  /** Tells what the bill lacks, beside it. */
  readonly warn?: (text: string) => void
}

/**
 * The text of a bill: who spent what in a month, a day or an hour. With `--drift`: how the service differs
 * from its specification. Throws UsageError, and the errors of reading the ledger.
 */
export async function bill(
  args: readonly string[],
  { read, drift, warn }: Sources,
  now: number,
): Promise<string> {
  const values = valuesOf(args)
  const { by = [usualGroupings], compare = false, csv, json, drift: isDrift } = values
  if (csv && json) throw new UsageError(`A bill is printed as --csv or --json.\n${billUsage}`)
  if (isDrift) {
    checkDrift(values)
    return csv ? driftCsv(drift()) : json ? JSON.stringify(drift(), null, 2) : driftTable(drift())
  }
  const question = asked(periodIn(values) ?? monthOf(now), by.join(','), compare)
  const { lines, daysWithoutHours } = await billLines(read, question)
  for (const day of daysWithoutHours) warn?.(`Hours of ${day} are no longer kept; ask for --day ${day}.`)
  if (csv) return csvOf(lines, question)
  if (json) return jsonOf(lines, question)
  const { period, before } = question
  const title = `Tokens of ${period.text} (UTC)${before ? `, compared with ${before.text}` : ''}`
  const differences = drift()
  const driftText = differences.length > 0 ? `\n\n${driftTable(differences)}` : ''
  return `${title}\n\n${tableOf(lines, question)}${driftText}`
}

/** Refuses options that differences from the specification do not have. */
function checkDrift(values: ReturnType<typeof valuesOf>): void {
  const other = (['month', 'day', 'hour', 'by', 'compare'] as const).find(
    (name) => values[name] !== undefined,
  )
  if (other !== undefined)
    throw new UsageError(`--drift is not about tokens, so it has no --${other}.\n${billUsage}`)
}

/** Each option, and a period that it may name. */
const periods = { month: '2026-02', day: '2026-02-14', hour: '2026-02-14T20' } as const

/** The period that the options name; undefined if they name none. */
function periodIn(values: Partial<Record<keyof typeof periods, string>>): string | undefined {
  const named = (['month', 'day', 'hour'] as const).filter((name) => values[name] !== undefined)
  const [kind] = named
  if (kind === undefined) return undefined
  if (named.length > 1) throw new UsageError(`A bill has one of --month, --day and --hour.\n${billUsage}`)
  const period = values[kind] ?? ''
  if (period.length === periods[kind].length && periodOf(period)) return period
  throw new UsageError(
    `${kind === 'hour' ? 'An' : 'A'} ${kind} is named like this: --${kind} ${periods[kind]}.\n${billUsage}`,
  )
}

function asked(period: string, by: string, isCompared: boolean): BillQuestion {
  try {
    return billQuestion(period, by, isCompared)
  } catch (error) {
    if (error instanceof BillQuestionError) throw new UsageError(`${error.message}\n${billUsage}`)
    throw error
  }
}

function valuesOf(args: readonly string[]) {
  const options = {
    month: { type: 'string' },
    day: { type: 'string' },
    hour: { type: 'string' },
    by: { type: 'string', multiple: true },
    compare: { type: 'boolean' },
    csv: { type: 'boolean' },
    json: { type: 'boolean' },
    drift: { type: 'boolean' },
  } as const
  return parsedArgs(args, { options }, billUsage).values
}
