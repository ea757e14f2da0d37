import { LRUCache } from 'lru-cache'
import { Shapes } from '../operations/shapes.ts'
import type { Template } from '../operations/operation.ts'
import type { Conditions } from '../operations/template.ts'
import type { JsonSql } from '../store/json-sql.ts'
import { jsonSqlOf, UNWRITABLE } from '../store/json-sql.ts'
import type { Send } from '../store/send.ts'
import type { Account, Clock } from './keys.ts'
import { monthOf, revoked, spent, textOf, tokensFor } from './meter.ts'
import type { Meter, Sold } from './meter.ts'

/** The statements of a template, with `$n` for its values and those of the charge behind them. */
interface Statements {
  readonly read: string
  readonly sell: string
}

/** A charge that waits for an earlier one of the same key. */
interface Waiting extends Sold {
  readonly account: Account
  readonly month: string
  resolve(sold: Sold): void
  reject(error: unknown): void
}

/** More tokens than a key without a quota can use. */
const ENDLESS = 2 ** 53

/** Milliseconds for which a key without tokens is refused without a query. */
const SPENT_MS = 1_000

/**
 * The meter of a PostgreSQL. An answer and its charge are one statement and one round trip. While such a
 * statement of a key without a quota is running, further answers of that key are read without their charges,
 * which are then written together: each charge would wait for the same row and block a connection.
 */
export function serverMeter(send: Send, clock: Clock): Meter {
  const json = jsonSqlOf('postgres')
  const shapes = new Shapes((template: Template, conditions: string) =>
    statementsOf(json, template, conditions),
  )
  const spentKeys = new LRUCache<string, string>({ max: 10_000, ttl: SPENT_MS })
  /** Keys with a running statement that reads an answer and charges it. */
  const selling = new Set<string>()
  /**
   * Keys with a running charge, and the charges that wait for it. Statements with an answer are not among
   * these, so a long answer does not delay charges.
   */
  const lines = new Map<string, Waiting[]>()

  /** The reason why nothing was charged. */
  async function refusalOf({ id, plan }: Account, month: string): Promise<Error> {
    const [row] = await send(why, [id, month])
    if (row?.[0] !== true) return revoked()
    const quota = plan.quota ?? 0
    if (Number(row[1] ?? 0) >= quota) spentKeys.set(id, month)
    return spent(quota)
  }

  async function add(account: Account, month: string, tokens: number, bytes: number, calls: number) {
    const quota = account.plan.quota ?? ENDLESS
    const rows = await send(charging, [account.id, month, tokens, bytes, calls, quota])
    if (rows.length === 0) throw await refusalOf(account, month)
  }

  /** Ends a charge, and begins the next one of the key with all that wait for it. */
  function next(id: string): void {
    const waiting = lines.get(id) ?? []
    if (waiting.length === 0) return void lines.delete(id)
    lines.set(id, [])
    void addTogether(waiting).finally(() => next(id))
  }

  async function addTogether(waiting: readonly Waiting[]): Promise<void> {
    for (const month of new Set(waiting.map((one) => one.month))) {
      const charges = waiting.filter((one) => one.month === month)
      const sum = (of: 'usage' | 'bytes') => charges.reduce((total, one) => total + one[of], 0)
      const [first] = charges
      if (!first) continue
      await add(first.account, month, sum('usage'), sum('bytes'), charges.length).then(
        () => charges.forEach((one) => one.resolve(one)),
        (error: unknown) => charges.forEach((one) => one.reject(error)),
      )
    }
  }

  async function charge(account: Account, text: string): Promise<Sold> {
    const bytes = Buffer.byteLength(text)
    const sold = { text, bytes, usage: tokensFor(bytes) }
    const month = monthOf(clock())
    if (account.plan.quota !== null) {
      await add(account, month, sold.usage, bytes, 1)
      return sold
    }
    return new Promise((resolve, reject) => {
      const waiting = { ...sold, account, month, resolve, reject }
      const line = lines.get(account.id)
      if (line) return void line.push(waiting)
      lines.set(account.id, [waiting])
      next(account.id)
    })
  }

  async function sellAlone(account: Account, template: Template, { text, values }: Conditions) {
    const month = monthOf(clock())
    const { id, plan } = account
    const { sell } = shapes.of(template, text)
    const [row] = await send(sell, [...values, id, month, plan.quota ?? ENDLESS])
    const [answer, rows, charged] = (row ?? []) as [string, number, boolean] // the columns of the statement
    const found = textOf(template, answer, rows)
    if (found === undefined) return undefined
    if (!charged) throw await refusalOf(account, month)
    const bytes = Buffer.byteLength(found)
    return { text: found, bytes, usage: tokensFor(bytes) }
  }

  async function readFirst(account: Account, template: Template, { text, values }: Conditions) {
    const [row] = await send(shapes.of(template, text).read, values)
    const found = textOf(template, row?.[0] as string | undefined, row?.[1] as number | undefined) // its columns
    return found === undefined ? undefined : charge(account, found)
  }

  return {
    admit({ id, plan }) {
      if (plan.quota !== null && spentKeys.get(id) === monthOf(clock())) throw spent(plan.quota)
    },
    charge,
    sell(account, template, conditions) {
      const { id, plan } = account
      if (plan.quota !== null) return sellAlone(account, template, conditions)
      if (selling.has(id) || lines.has(id)) return readFirst(account, template, conditions)
      selling.add(id)
      return sellAlone(account, template, conditions).finally(() => selling.delete(id))
    },
  }
}

const sums = `tokens = usage.tokens + excluded.tokens, bytes = usage.bytes + excluded.bytes,
  calls = usage.calls + excluded.calls`

const charging = `insert into usage (api_key_id, month, tokens, bytes, calls)
  select api_key_id, $2, $3::bigint, $4::bigint, $5::bigint from api_key
  where api_key_id = $1 and revoked_at is null and $3::bigint <= $6::bigint
  on conflict (api_key_id, month) do update set ${sums} where usage.tokens <= $6::bigint - excluded.tokens
  returning 1`

const why = `select exists (select 1 from api_key where api_key_id = $1 and revoked_at is null),
  (select tokens from usage where api_key_id = $1 and month = $2)`

/** More rows than any answer contains. */
const MANY = 2 ** 31

function statementsOf(json: JsonSql, template: Template, conditions: string): Statements {
  let place = 0
  const read = template.sql(json, conditions).replaceAll('?', () => `$${(place += 1)}`)
  const [id, month, quota] = [1, 2, 3].map((nth) => `$${place + nth}`)
  const sell = `with found as materialized (${read}),
    written as materialized (select coalesce((select answer from found), '{}') as answer,
      coalesce((select number from found), 0) as number),
    size as (select octet_length(answer)::bigint as bytes, (octet_length(answer)::bigint + 1023) / 1024 as tokens
      from written where number <= ${template.most ?? MANY} and position('${UNWRITABLE}' in answer) = 0),
    charged as (
      insert into usage (api_key_id, month, tokens, bytes, calls)
      select api_key_id, ${month}, size.tokens, size.bytes, 1 from size, api_key
      where api_key_id = ${id} and revoked_at is null and size.tokens <= ${quota}::bigint
      on conflict (api_key_id, month) do update set ${sums} where usage.tokens <= ${quota}::bigint - excluded.tokens
      returning 1)
    select answer, number, exists (select 1 from charged) from written`
  return { read, sell }
}
