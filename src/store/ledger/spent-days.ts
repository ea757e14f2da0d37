import { dayOf } from '../../money/ledger-store.ts'
import type { Spending } from '../../money/ledger-store.ts'
import { NoLedgerError } from '../../money/files/read-ledger.ts'
import { prefix, RedisAwayError } from '../redis/connection.ts'
import type { RedisConnection } from '../redis/connection.ts'

export const ledgerPrefix = `${prefix}ledger:`

const kinds = ['tokens', 'estimated', 'bytes', 'calls'] as const

/** Milliseconds to wait for a part of a day: a report may wait. */
const longestWaitMs = 5_000

/** About how many causes Redis returns at once. */
const pageSize = 1_000

type Row = { -readonly [Name in keyof Spending]: Spending[Name] }

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

/** Pages are short, because Redis serves nobody else while it reads one. */
async function readDay(redis: RedisConnection, day: string): Promise<readonly Spending[]> {
  const rows = new Map<string, Row>()
  for (const kind of kinds)
    for await (const page of pagesOf(redis, `${ledgerPrefix}day:${day}:${kind}`))
      for (const [cause, figure] of page) {
        const row = rows.get(cause) ?? rowOf(cause, day)
        // A field that comes twice has its latest figure.
        row[kind] = Number(figure)
        rows.set(cause, row)
      }
  return [...rows.values()]
}

async function* pagesOf(redis: RedisConnection, key: string) {
  let cursor = '0'
  do {
    const command = ['HSCAN', key, cursor, 'COUNT', String(pageSize)]
    const [next, flat] = (await redis.read(command, longestWaitMs)) as [string, string[]] // as HSCAN replies
    yield entriesOf(flat)
    cursor = next
  } while (cursor !== '0')
}

function rowOf(cause: string, day: string): Row {
  const [hour = '', key = '', client = '', operation = '', service = ''] = JSON.parse(cause) as string[] // as the scripts write it
  return { hour, key, client, operation, service, day, tokens: 0, estimated: 0, bytes: 0, calls: 0 }
}

/** The fields and values of a hash, from a flat list. */
const entriesOf = (flat: readonly string[]) =>
  flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? '0'] as const] : []))
