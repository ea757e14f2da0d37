import { dayOf } from '../money/ledger-store.ts'
import type { Spending } from '../money/ledger-store.ts'
import { NoLedgerError } from '../money/read-ledger.ts'
import { prefix, RedisAwayError } from './redis.ts'
import type { RedisConnection } from './redis.ts'

export const ledgerPrefix = `${prefix}ledger:`

const kinds = ['tokens', 'estimated', 'bytes', 'calls'] as const

/** Milliseconds to wait for a part of a day: a report may wait. */
const longestWaitMs = 5_000

/** Reads what all instances have spent on some days, inclusive. Throws NoLedgerError if Redis is away. */
export async function readShared(
  redis: RedisConnection,
  from: string,
  to: string,
): Promise<readonly Spending[]> {
  const days: (readonly Spending[])[] = []
  try {
    for (let day = Date.parse(from); day <= endOf(to); day += 86_400_000)
      days.push(await readDay(redis, dayOf(day)))
  } catch (error) {
    if (error instanceof RedisAwayError)
      throw new NoLedgerError(
        `The ledger of all instances is in Redis, which cannot be read. ${error.message}`,
      )
    throw error
  }
  return days.flat()
}

/** As texts, all days of a month come before or on its 31st. */
function endOf(day: string): number {
  const moment = Date.parse(day)
  return Number.isNaN(moment) ? Date.parse(`${day.slice(0, 8)}28`) + 3 * 86_400_000 : moment
}

async function readDay(redis: RedisConnection, day: string): Promise<readonly Spending[]> {
  const rows = new Map<string, Record<(typeof kinds)[number], number>>()
  for (const kind of kinds) {
    const flat = await redis.send(['HGETALL', `${ledgerPrefix}day:${day}:${kind}`], longestWaitMs)
    for (const [cause, figure] of entriesOf(flat)) {
      const row = rows.get(cause) ?? { tokens: 0, estimated: 0, bytes: 0, calls: 0 }
      row[kind] = Number(figure)
      rows.set(cause, row)
    }
  }
  return [...rows]
    .filter(([, { tokens }]) => tokens !== 0)
    .map(([cause, sums]) => ({ ...causeOf(cause), day, ...sums }))
}

function causeOf(text: string) {
  const [hour = '', key = '', client = '', operation = '', service = ''] = JSON.parse(text) as string[] // as the scripts write it
  return { hour, key, client, operation, service }
}

/** The fields and values of a hash, from a flat list. */
function entriesOf(reply: unknown): readonly (readonly [string, string])[] {
  const flat = (reply as readonly unknown[]).map(String)
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? '0'] as const] : []))
}
