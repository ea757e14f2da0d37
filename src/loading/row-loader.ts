import { tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { call } from '../calls/call.ts'
import { Waiters } from '../wire/waiters.ts'
import { AccessDeniedError, BudgetExceededError, CodedError } from '../errors/errors.ts'
import { NotRecordedError } from '../wire/not-recorded.ts'
import { allDone, chunks } from '../groups.ts'
import { Loader } from './loader.ts'
import { requestsOf } from './ask-groups.ts'
import type { Ask, Branch, Split, Wanted } from './ask.ts'
import { nameOf } from '../specification/operation.ts'
import { readerOf } from '../specification/operations.ts'
import type { Operation } from '../specification/operation.ts'
import type { Entry } from '../rows/entry.ts'
import { noteMissing } from '../rows/put.ts'
import { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'

/** A row wanted by its key. */
interface RowWanted extends Wanted {
  readonly key: string
}

type RowAsk = Ask<RowWanted>
type RowSplit = Split<RowWanted, true>

/** A row to read, and who asks for it: the first one pays. */
type Missing = readonly [key: string, asks: readonly [RowAsk, ...RowAsk[]]]

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
    loaders.set(table, (loader = new Loader(table, (account, asks) => readRows(account, table, asks))))
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
  return { request, field, wanted: { what: key, key }, operation, after, cached }
}

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

function readRows(account: Account, table: TableName, asks: readonly RowAsk[]): readonly Promise<RowSplit>[] {
  const byKey = new Map<string, [RowAsk, ...RowAsk[]]>()
  for (const ask of asks) {
    const same = byKey.get(ask.wanted.key)
    if (same) same.push(ask)
    else byKey.set(ask.wanted.key, [ask])
  }
  const inFlight = (key: string) => account.rowsInFlight.get(`${table} ${key}`)
  // In order of keys, so that batches do not depend on the order of the asks.
  const missing = [...byKey].filter(([key]) => !inFlight(key)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  shareInFlight(
    table,
    asks.filter(({ wanted, request }) => (inFlight(wanted.key)?.payer ?? request) !== request),
  )
  for (const { wanted, request } of asks)
    for (const waiters of inFlight(wanted.key)?.waiters ?? []) waiters.add(request)
  const [own, others] = payersOf(account, table, missing)
  const { batchSize } = account.upstream.settings
  for (const batch of [...chunks(own, batchSize), ...chunks(others, batchSize)]) {
    const together = new Waiters(batch.flatMap(([, several]) => requestsOf(several)))
    const reading = readBatch(account, table, new Map(batch), together)
    const payer = batch[0]?.[1][0].request
    for (const [key, several] of batch) {
      const alone = new Waiters(requestsOf(several))
      const row = reading(key, alone).finally(() => account.rowsInFlight.delete(`${table} ${key}`))
      row.catch(() => {}) // Its callers receive the rejection.
      const waiters = [together, alone]
      account.rowsInFlight.set(`${table} ${key}`, { row, payer: payer ?? several[0].request, waiters })
    }
  }
  return asks.map(async ({ wanted }) => {
    await inFlight(wanted.key)?.row
    return () => true as const
  })
}

/**
 * The rows that are paid for here, and in a dry run those that the real account has in flight: another request
 * pays for them.
 */
function payersOf(
  account: Account,
  table: TableName,
  missing: readonly Missing[],
): readonly [own: readonly Missing[], others: readonly Missing[]] {
  const { dryRunOf } = account
  if (!dryRunOf) return [missing, []]
  const isPending = ([key]: Missing) => dryRunOf.isInFlight(table, key)
  const another = new ClientRequest(account)
  const paid = missing
    .filter(isPending)
    .map(([key, asks]): Missing => [key, [{ ...asks[0], request: another }, ...asks]])
  return [missing.filter((one) => !isPending(one)), paid]
}

/** Counts as cache hits, for each request, the rows that another request's call will bring. */
function shareInFlight(table: TableName, asks: readonly RowAsk[]): void {
  const operation = readings.get(table)?.read
  if (!operation) return
  for (const request of new Set(asks.map((ask) => ask.request))) {
    const own = asks.filter((ask) => ask.request === request)
    request.share(
      nameOf(operation),
      [`${table}_id`],
      new Set(own.map(({ wanted }) => wanted.key)).size,
      own[0]?.field ?? '',
    )
  }
}

/**
 * Reads one batch: by one call, or one by one if the plan allows no bulk reads. Each key has its own result.
 */
function readBatch(
  account: Account,
  table: TableName,
  asks: ReadonlyMap<string, readonly [RowAsk, ...RowAsk[]]>,
  waiters: Waiters,
): (key: string, alone: Waiters) => Promise<void> {
  const reading = readings.get(table)
  if (!reading) return async () => {}
  const { read, get } = reading
  const together = account.refusals.has(nameOf(read))
    ? Promise.resolve(false)
    : readTogether(account, table, read, asks, waiters)
  return async (key, alone) => {
    if (await together) return
    const group = asks.get(key)
    if (get && group) await readOne(account, table, get, key, group, alone)
  }
}

/** Whether the call was allowed. */
async function readTogether(
  account: Account,
  table: TableName,
  operation: Operation,
  asks: ReadonlyMap<string, readonly [RowAsk, ...RowAsk[]]>,
  waiters: Waiters,
): Promise<boolean> {
  const keys = [...asks.keys()]
  const [first, ...others] = [...asks.values()].flat()
  if (!first) return true
  const isWhole = !operation.batch || !operation.arguments.includes(operation.batch)
  const values = operation.batch && !isWhole ? { [operation.batch]: keys } : {}
  try {
    const { keys: found, boughtAt } = await call(account, {
      operation,
      arguments: values,
      requests: requestsOf([first, ...others]),
      waiters,
      field: first.field,
    })
    if (isWhole) noteMissing(account, table, keys, new Set(found), boughtAt)
    return true
  } catch (error) {
    if (error instanceof AccessDeniedError && readings.get(table)?.get) return false
    throw error
  }
}

async function readOne(
  account: Account,
  table: TableName,
  operation: Operation,
  key: string,
  asks: readonly [RowAsk, ...RowAsk[]],
  waiters: Waiters,
): Promise<void> {
  await call(account, {
    operation,
    arguments: { [`${table}_id`]: key },
    requests: requestsOf(asks),
    waiters,
    field: asks[0].field,
  })
}
