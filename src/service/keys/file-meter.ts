import { Shapes } from '../operations/shapes.ts'
import type { Template } from '../operations/operation.ts'
import { jsonSqlOf } from '../store/json-sql.ts'
import type { Sqlite } from '../store/statements.ts'
import type { Account, Clock } from './keys.ts'
import { monthOf, revoked, spent, textOf, tokensFor } from './meter.ts'
import type { Meter, Sold } from './meter.ts'

/** A pending charge, with its answer. */
interface Waiting extends Sold {
  readonly account: Account
  readonly month: string
  resolve(sold: Sold): void
  reject(error: unknown): void
}

/**
 * The meter of an embedded database. The answers of one turn of the event loop are charged in one
 * transaction.
 */
export function fileMeter(league: Sqlite, accounts: Sqlite, clock: Clock): Meter {
  const book = bookOf(accounts)
  const json = jsonSqlOf('sqlite')
  const shapes = new Shapes((template: Template, conditions: string) =>
    league.prepare(template.sql(json, conditions)).raw(),
  )
  let waiting: Waiting[] = []
  const write = () => {
    const charges = waiting
    waiting = []
    writeAll(accounts, book, charges)
  }
  const charge = (account: Account, text: string): Promise<Sold> =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.byteLength(text)
      const sold = { text, bytes, usage: tokensFor(bytes) }
      if (waiting.length === 0) setImmediate(write)
      waiting.push({ ...sold, account, month: monthOf(clock()), resolve, reject })
    })
  return {
    admit(account) {
      const { quota } = account.plan
      if (quota !== null && book.used(account, monthOf(clock())) >= quota) throw spent(quota)
    },
    charge,
    sell(account, template, { text, values }) {
      const row = shapes.of(template, text).get(values) as [string | null, number] | undefined // the columns of a template
      const found = textOf(template, row?.[0], row?.[1])
      return found === undefined ? undefined : charge(account, found)
    },
  }
}

type Book = ReturnType<typeof bookOf>

const add = `insert into usage (api_key_id, month, tokens, bytes, calls)
  select api_key_id, ?, ?, ?, ? from api_key where api_key_id = ? and revoked_at is null
  on conflict (api_key_id, month) do update set
    tokens = usage.tokens + excluded.tokens, bytes = usage.bytes + excluded.bytes, calls = usage.calls + excluded.calls`

/** The prepared statements of charges. Adding a charge fails for a revoked key. */
function bookOf(accounts: Sqlite) {
  const always = accounts.prepare(add)
  const within = accounts.prepare(`${add} where usage.tokens <= ?`)
  const spending = accounts.prepare('select tokens from usage where api_key_id = ? and month = ?').raw()
  const key = accounts.prepare('select 1 from api_key where api_key_id = ? and revoked_at is null').raw()
  return {
    add: ({ id }: Account, month: string, tokens: number, bytes: number, calls: number): boolean =>
      always.run([month, tokens, bytes, calls, id]).changes > 0,
    addWithin: ({ id }: Account, month: string, tokens: number, bytes: number, quota: number): boolean =>
      tokens <= quota && within.run([month, tokens, bytes, 1, id, quota - tokens]).changes > 0,
    used({ id }: Account, month: string): number {
      const row = spending.get([id, month]) as [number] | undefined // its one column
      return row?.[0] ?? 0
    },
    isKey: ({ id }: Account): boolean => key.get([id]) !== undefined,
  }
}

/** Writes charges in one transaction, and releases their answers when it is committed. */
function writeAll(accounts: Sqlite, book: Book, charges: readonly Waiting[]): void {
  let refused: ReadonlyMap<Waiting, Error>
  try {
    // Takes the lock first with an unprepared statement: see `writing` in the store's statements.
    accounts.exec('begin immediate')
    try {
      refused = addAll(book, charges)
      accounts.exec('commit')
    } catch (error) {
      if (accounts.inTransaction) accounts.exec('rollback')
      throw error
    }
  } catch (error) {
    for (const { reject } of charges) reject(error)
    return
  }
  for (const charge of charges) {
    const refusal = refused.get(charge)
    if (refusal) charge.reject(refusal)
    else charge.resolve(charge)
  }
}

/** Adds charges: those of a key without a quota in one row, others one by one. @returns the refused ones */
function addAll(book: Book, charges: readonly Waiting[]): ReadonlyMap<Waiting, Error> {
  const refused = new Map<Waiting, Error>()
  for (const [month, ofMonth] of grouped(charges, ({ month }) => month))
    for (const [{ id, plan }, ofKey] of grouped(ofMonth, ({ account }) => account)) {
      const account = { id, plan }
      const rest =
        plan.quota === null
          ? addTogether(book, account, month, ofKey)
          : ofKey.filter((one) => !addOne(book, one))
      for (const charge of rest)
        refused.set(charge, plan.quota === null || !book.isKey(account) ? revoked() : spent(plan.quota))
    }
  return refused
}

function addTogether(
  book: Book,
  account: Account,
  month: string,
  charges: readonly Waiting[],
): readonly Waiting[] {
  let [tokens, bytes] = [0, 0]
  for (const charge of charges) {
    tokens += charge.usage
    bytes += charge.bytes
  }
  return book.add(account, month, tokens, bytes, charges.length) ? [] : charges
}

const addOne = (book: Book, { account, month, usage, bytes }: Waiting): boolean =>
  account.plan.quota !== null && book.addWithin(account, month, usage, bytes, account.plan.quota)

function grouped<T, K>(list: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const one of list) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}
