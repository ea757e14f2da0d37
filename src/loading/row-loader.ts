import { keyOf, tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { call } from '../calls/call.ts'
import { BudgetExceededError, CodedError } from '../errors/errors.ts'
import { NotRecordedError } from '../wire/not-recorded.ts'
import { allDone, chunks, grouped } from '../groups.ts'
import { Loader } from './loader.ts'
import { requestsOf } from './ask-groups.ts'
import type { Asks } from './ask-groups.ts'
import type { Ask, Branch, Calls, Wanted } from './ask.ts'
import { nameOf } from '../specification/operation.ts'
import { readerOf } from '../specification/operations.ts'
import type { Operation } from '../specification/operation.ts'
import type { Entry } from '../rows/entry.ts'
import { noteMissing } from '../rows/put.ts'
import { rowSlot } from '../account/fill.ts'
import { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'

/** A row wanted by its key. */
interface RowWanted extends Wanted {
  readonly key: string
}

type RowAsk = Ask<RowWanted>

interface Reading {
  /** Reads many rows by their keys. */
  readonly read: Operation
  /** Reads one row, for keys whose plan does not allow bulk reads. Missing if the bulk read takes no ids. */
  readonly get?: Operation | undefined
}

const readings = new Map<TableName, Reading>()
for (const table of Object.keys(tables) as TableName[]) {
  const read = readerOf(table, 'many')
  if (read) readings.set(table, { read, get: readerOf(table, 'one') })
}

/** Whether rows of a table can be read by their keys. */
export const isReadable = (table: TableName) => readings.has(table)

const loaders = new Map<TableName, Loader<RowWanted, true>>()

/** Loads a table's rows by their keys. */
function rowsOf(table: TableName): Loader<RowWanted, true> {
  let loader = loaders.get(table)
  if (!loader)
    loaders.set(table, (loader = new Loader(table, (account, asks) => planRows(account, table, asks))))
  return loader
}

/** Whether a row is read now, or only after a pending search that may bring it: see `searchOf`. */
export type When = 'now' | 'afterSearch'

/** Loads a row by its key, unless these columns are known. */
export async function loadColumns(
  request: ClientRequest,
  table: TableName,
  key: string,
  columns: readonly string[],
  field: string,
): Promise<void> {
  const ask = askFor(request, table, request.account.rows.entry(table, key), columns, field, 'afterSearch')
  if (ask.cached()) return
  await rowsOf(table).load(ask)
}

function askFor(
  request: ClientRequest,
  table: TableName,
  entry: Entry,
  columns: readonly string[],
  field: string,
  when: When,
) {
  const { key } = entry
  const isThere = () => columns.every((name) => entry.column(name, request.now) !== undefined)
  const cached = () => (isThere() ? (true as const) : undefined)
  const operation = readings.get(table)?.read
  const after = when === 'now' ? undefined : () => request.pending(searchOf(table, key))
  const kept = [{ owner: entry, slot: rowSlot }]
  return { request, field, wanted: { what: key, key }, operation, after, cached, value: isLoaded, kept }
}

const isLoaded = () => true as const

/**
 * The name of a search by several calls, of which one brings a row: see `ClientRequest.once`. While it is
 * pending, the row is not read by its key, unless other calls wait for the row.
 */
export const searchOf = (table: TableName, key: string): string => `search ${table} ${key}`

/** Loads columns of rows of several tables, with one promise for each call. */
export async function loadRows(
  request: ClientRequest,
  rows: readonly { readonly table: TableName; readonly entry: Entry }[],
  columns: readonly string[],
  field: string,
  when: When = 'afterSearch',
): Promise<readonly Branch<true>[]> {
  const byTable = new Map<TableName, number[]>()
  rows.forEach(({ table }, nth) => {
    const same = byTable.get(table)
    if (same) same.push(nth)
    else byTable.set(table, [nth])
  })
  const loaded = [...byTable].map(async ([table, those]) => {
    const asks = those.flatMap((nth) => {
      const entry = rows[nth]?.entry
      return entry ? [askFor(request, table, entry, columns, field, when)] : []
    })
    const branches = await rowsOf(table).loadMany(asks)
    return branches.map(({ indices, values }) => ({ indices: indices.map((nth) => those[nth] ?? 0), values }))
  })
  return (await allDone(loaded)).flat()
}

/** Remembers that a row could not be read, so that the request does not try again. */
export const failRow = (request: ClientRequest, table: TableName, key: string, error: CodedError): void =>
  rowsOf(table).fail(request, key, error)

/**
 * If the call that brings a table's rows has failed, the rows are not read one by one either: their expired
 * columns are served without another failing call.
 */
export function failRows(
  request: ClientRequest,
  table: TableName,
  keys: readonly string[],
  error: unknown,
): void {
  if (isOfService(error)) for (const key of keys) failRow(request, table, key, error)
}

/** Whether the service has failed. A smaller call may fit a budget, and a tape that lacks a call may have it. */
export const isOfService = (error: unknown): error is CodedError =>
  error instanceof CodedError && !(error instanceof BudgetExceededError || error instanceof NotRecordedError)

/**
 * Reads rows in as few calls as possible, in the order of their keys: batches do not depend on the order of the asks.
 * If the plan allows no bulk reads, they are read one by one.
 */
function planRows(account: Account, table: TableName, asks: readonly RowAsk[]): Calls {
  const byKey = grouped(asks, ({ wanted }) => wanted.key)
  const reading = readings.get(table)
  const read = (keys: readonly string[]): Promise<unknown> => {
    const [first, ...others] = keys.flatMap((key) => byKey.get(key) ?? [])
    return reading && first ? readKeys(account, table, reading, keys, [first, ...others]) : Promise.resolve()
  }
  const isAlone = reading?.get !== undefined && account.refusals.has(nameOf(reading.read))
  const { batchSize } = account.upstream.settings
  const keys = [...byKey.keys()].toSorted()
  // In a dry run, another request pays for what the real account has in flight.
  const isPaid = (key: string) => account.dryRunOf?.isInFlight(table, key) === true
  const calls = new Map<string, Promise<unknown>>()
  for (const some of [keys.filter((key) => !isPaid(key)), keys.filter(isPaid)])
    for (const batch of chunks(some, isAlone ? 1 : batchSize)) {
      const call = read(batch)
      for (const key of batch) calls.set(key, call)
    }
  return asks.map(({ wanted }) => calls.get(wanted.key) ?? Promise.resolve())
}

async function readKeys(
  account: Account,
  table: TableName,
  { read, get }: Reading,
  keys: readonly string[],
  asks: Asks<RowWanted>,
): Promise<void> {
  const [{ field }] = asks
  const [first, ...others] = requestsOf(asks)
  const isPaid = account.dryRunOf?.isInFlight(table, keys[0] ?? '') === true
  const requests = isPaid
    ? ([new ClientRequest(account), first, ...others] as const)
    : ([first, ...others] as const)
  const operation = get && account.refusals.has(nameOf(read)) ? get : read
  // Some tables can only be read as a whole.
  const isWhole = operation.byKey === 'many' && !operation.arguments.includes(operation.batch ?? '')
  const values = isWhole ? {} : { [keyOf(table)]: operation === get ? (keys[0] ?? '') : keys }
  const { keys: found, boughtAt } = await call(account, { operation, arguments: values, requests, field })
  if (isWhole) noteMissing(account, table, keys, new Set(found), boughtAt)
}
