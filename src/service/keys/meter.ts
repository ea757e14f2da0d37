import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { Refusal } from '../refusal.ts'
import type { AccountSchema } from '../store/accounts.ts'
import type { Account, Clock } from './keys.ts'

const BYTES_A_TOKEN = 1024

/** What an answer of this size costs: one token for each started kibibyte of its body. */
export const tokensFor = (bytes: number): number => Math.max(1, Math.ceil(bytes / BYTES_A_TOKEN))

/** The calendar month (UTC) of a time, `YYYY-MM`. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7)

/** Charges for answers. A charge is in the database before its answer leaves. */
export interface Meter {
  /** The tokens charged. Refused where they would go over the month's quota, which costs nothing. */
  charge(account: Account, bytes: number): Promise<number>
  /** Refused where the month's quota is spent already: an answer need not be made to learn it. */
  admit(account: Account): Promise<void>
}

interface Charge {
  tokens: number
  bytes: number
  calls: number
}

export function meterOf(accounts: Kysely<AccountSchema>, clock: Clock): Meter {
  const write = writerOf(accounts)
  return {
    async charge({ id, plan }, bytes) {
      const charge = { tokens: tokensFor(bytes), bytes, calls: 1 }
      const month = monthOf(clock())
      if (plan.quota === null) await write(id, month, charge)
      else if (!(await writeWithin(accounts, id, month, charge, plan.quota))) throw spent(plan.quota)
      return charge.tokens
    },
    async admit({ id, plan }) {
      if (plan.quota === null) return
      const used = await usedIn(accounts, id, monthOf(clock()))
      if (used >= plan.quota) throw spent(plan.quota)
    },
  }
}

const spent = (quota: number) =>
  new Refusal('quota_exceeded', `This would go over the ${quota} usage tokens of the month.`)

async function usedIn(accounts: Kysely<AccountSchema>, id: string, month: string): Promise<number> {
  const row = await accounts
    .selectFrom('usage')
    .select('tokens')
    .where('api_key_id', '=', id)
    .where('month', '=', month)
    .executeTakeFirst()
  return row?.tokens ?? 0
}

/**
 * Writes charges of keys without a quota. Those that come while one is being written go together in the next: one key under load
 * is one row, and every write of it would wait for the one before.
 */
function writerOf(accounts: Kysely<AccountSchema>) {
  const last = new Map<string, Promise<void>>()
  const waiting = new Map<string, { charge: Charge; written: Promise<void> }>()
  return (id: string, month: string, charge: Charge): Promise<void> => {
    const place = `${id} ${month}`
    const joined = waiting.get(place)
    if (joined) {
      joined.charge = plus(joined.charge, charge)
      return joined.written
    }
    const next = { charge, written: Promise.resolve() }
    next.written = after(last.get(place), () => {
      waiting.delete(place)
      return writeAlways(accounts, id, month, next.charge)
    })
    waiting.set(place, next)
    last.set(place, next.written)
    forgetWhenDone(last, place, next.written)
    return next.written
  }
}

async function after(before: Promise<void> | undefined, write: () => Promise<void>): Promise<void> {
  await before?.catch(() => {})
  return write()
}

function forgetWhenDone(last: Map<string, Promise<void>>, place: string, written: Promise<void>): void {
  const forget = () => {
    if (last.get(place) === written) last.delete(place)
  }
  written.then(forget, forget)
}

const plus = (one: Charge, other: Charge): Charge => ({
  tokens: one.tokens + other.tokens,
  bytes: one.bytes + other.bytes,
  calls: one.calls + other.calls,
})

async function writeAlways(
  accounts: Kysely<AccountSchema>,
  id: string,
  month: string,
  charge: Charge,
): Promise<void> {
  await adding(accounts, id, month, charge)
    .onConflict((conflict) => conflict.columns(['api_key_id', 'month']).doUpdateSet(sums))
    .execute()
}

const adding = (accounts: Kysely<AccountSchema>, id: string, month: string, charge: Charge) =>
  accounts.insertInto('usage').values({ api_key_id: id, month, ...charge })

const sums = {
  tokens: sql<number>`usage.tokens + excluded.tokens`,
  bytes: sql<number>`usage.bytes + excluded.bytes`,
  calls: sql<number>`usage.calls + excluded.calls`,
}

/** Whether the charge fitted. The database compares and adds in one statement, so that processes cannot spend the same tokens. */
async function writeWithin(
  accounts: Kysely<AccountSchema>,
  id: string,
  month: string,
  charge: Charge,
  quota: number,
): Promise<boolean> {
  if (charge.tokens > quota) return false
  const written = await adding(accounts, id, month, charge)
    .onConflict((conflict) =>
      conflict
        .columns(['api_key_id', 'month'])
        .doUpdateSet(sums)
        .where('usage.tokens', '<=', quota - charge.tokens),
    )
    .returning('tokens')
    .executeTakeFirst()
  return written !== undefined
}
