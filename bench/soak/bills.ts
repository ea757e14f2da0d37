import { request } from 'undici'
import { listKeys } from '../../src/service/keys/keys.ts'
import type { Served } from '../../src/service/serve.ts'
import type { Statline } from './child.ts'

export interface Key {
  readonly id: string
  readonly key: string
}

/** Who is billed, by which service, in the month of which clock. */
export interface Billing {
  readonly service: Served
  readonly keys: readonly Key[]
  readonly clock: () => number
}

interface Usage {
  readonly tokens: number
  readonly calls: number
}

/** What Statline says that a key has spent. */
export async function usageOf({ url }: Statline, key: string): Promise<Usage> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const body = JSON.stringify({ query: '{ usage { tokens calls } }' })
  // A connection that is kept alive for the next question would be counted among those left over.
  const answer = await request(`${url}/graphql`, { method: 'POST', headers, body, reset: true })
  const { data } = (await answer.body.json()) as { data: { usage: Usage } } // as it was asked
  return data.usage
}

/** Calls that clients did not wait for may still be under way. */
const ending = 5_000

/** Whether the ledger of each key says what the service has charged it, to the token. */
export async function compareBills(statline: Statline, { service, keys, clock }: Billing): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, ending))
  const month = new Date(clock()).toISOString().slice(0, 7)
  const rows = await listKeys(service.database.accounts, month)
  const accounts = new Map(rows.map((row) => [row.api_key_id, Number(row.tokens ?? 0)]))
  let [ours, theirs, wrong] = [0, 0, 0]
  for (const { id, key } of keys) {
    const { tokens } = await usageOf(statline, key)
    const charged = accounts.get(id) ?? 0
    ours += tokens
    theirs += charged
    if (tokens !== charged) wrong += 1
  }
  console.log(`ledgers ${ours} tokens, the service's accounts ${theirs}; ${wrong} keys differ`)
  return wrong === 0
}
