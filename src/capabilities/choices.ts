import type { Operation } from '../specification/operation.ts'
import type { Conversions } from './conversions.ts'
import { filterName, filtersOfReads } from './questions/filters.ts'
import { severalByOperation, severalName } from './questions/several-values.ts'

/** How calls are sent and answers are read. The checks for an ordinary service are cheap. */
export interface Choices {
  readonly values: 'repeated' | 'comma list' | 'one value'
  readonly mayPost: boolean
  /** Maximum length of an address. */
  readonly addressLength: number
  /** Maximum ids in one call. */
  readonly batchSize: number
  readonly isGzipCheaper: boolean
  /** The status that means "nothing matched"; null if the service has none. */
  readonly emptyStatus: number | null
  readonly areIdsUpper: boolean
  /** How answers are converted; null if they come as specified. */
  readonly conversions: Conversions | null
  /** The names of questions: arguments that take one value only, and filters that are ignored or refused. */
  readonly single: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
  readonly refused: ReadonlySet<string>
  /** What the plan of the key denies with which the service was examined. */
  readonly denied: { readonly downloads: boolean; readonly bulkReads: boolean }
}

const assumedBatch = 500

export function choicesOf(finding: (name: string) => string): Choices {
  const named = (questions: readonly { readonly name: string }[], found: string) =>
    new Set(questions.map(({ name }) => name).filter((name) => finding(name) === found))
  const batch = Number(finding('ids in a call'))
  const status = /^status (\d+)$/.exec(finding('nothing found'))?.[1]
  const conversions = {
    numbers: finding('numbers') === 'text',
    ids: finding('case of ids') === 'upper',
    timestamps: finding('timestamps') === 'without zone',
    lists: finding('rows') === 'list',
  }
  return {
    values: finding('several values') as Choices['values'], // the findings of the question
    mayPost: finding('POST') === 'accepted',
    addressLength: Number(finding('length of an address')),
    batchSize: batch < assumedBatch ? batch : Number.POSITIVE_INFINITY,
    isGzipCheaper: finding('compressed answers') === 'billed by wire',
    emptyStatus: status === undefined ? null : Number(status),
    areIdsUpper: conversions.ids,
    conversions: Object.values(conversions).includes(true) ? conversions : null,
    single: named(severalByOperation, 'refused'),
    ignored: named(filtersOfReads, 'ignored'),
    refused: named(filtersOfReads, 'refused'),
    denied: {
      downloads: finding('ranking/download') === 'denied',
      bulkReads: finding('plan') === 'no bulk reads',
    },
  }
}

/** Whether a call may have only one value of this argument. */
export const isSingle = ({ values, single }: Choices, operation: Operation, argument: string): boolean =>
  values === 'one value' || (single.size > 0 && single.has(severalName(operation, argument)))

export const isIgnored = ({ ignored }: Choices, operation: Operation, argument: string): boolean =>
  ignored.size > 0 && ignored.has(filterName(operation, argument))

export const isRefusedBy = ({ refused }: Choices, operation: Operation, argument: string): boolean =>
  refused.size > 0 && refused.has(filterName(operation, argument))
