import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Refusal } from '../refusal.ts'
import type { AccountSchema, ApiKey } from '../store/accounts.ts'
import { isPlanName, plans } from './plans.ts'
import type { Plan, PlanName } from './plans.ts'

export type Clock = () => number

/** The owner of a request's key. */
export interface Account {
  readonly id: string
  readonly plan: Plan
}

/** SHA-256 is enough for a key: 24 random bytes cannot be guessed as a password can. */
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')

/** Creates a key and returns it. Only its hash is stored. */
export async function addKey(
  accounts: Kysely<AccountSchema>,
  clock: Clock,
  plan: PlanName,
  name: string | null = null,
) {
  const key = `sl_${randomBytes(24).toString('base64url')}`
  const row = rowOf(key, plan, name, clock)
  await accounts.insertInto('api_key').values(row).execute()
  return { id: row.api_key_id, key }
}

const rowOf = (key: string, plan: PlanName, name: string | null, clock: Clock, sample = 0): ApiKey => ({
  api_key_id: randomUUID(),
  hash: hashOf(key),
  plan,
  name,
  sample,
  created_at: new Date(clock()).toISOString(),
  revoked_at: null,
})

export const sampleKeys: Readonly<Record<string, PlanName>> = {
  'sample-paid': 'paid',
  'sample-trial': 'trial',
  'sample-lapsed': 'lapsed',
}

/** Creates the sample league's keys if they are missing. */
export async function addSampleKeys(accounts: Kysely<AccountSchema>, clock: Clock): Promise<void> {
  const rows = Object.entries(sampleKeys).map(([key, plan]) => rowOf(key, plan, key, clock, 1))
  await accounts
    .insertInto('api_key')
    .values(rows)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
}

export const listKeys = (accounts: Kysely<AccountSchema>, month: string) =>
  accounts
    .selectFrom('api_key')
    .leftJoin('usage', (join) =>
      join.onRef('usage.api_key_id', '=', 'api_key.api_key_id').on('usage.month', '=', month),
    )
    .select(['api_key.api_key_id', 'plan', 'name', 'sample', 'created_at', 'revoked_at', 'tokens', 'calls'])
    .orderBy('created_at')
    .orderBy('api_key.api_key_id')
    .execute()

/** Revokes a key; false if no such key is in use. */
export async function revokeKey(accounts: Kysely<AccountSchema>, clock: Clock, id: string): Promise<boolean> {
  const { numUpdatedRows } = await accounts
    .updateTable('api_key')
    .set({ revoked_at: new Date(clock()).toISOString() })
    .where('api_key_id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The owner of a key. The sample league's keys are valid for the sample league alone. */
export async function authenticate(
  accounts: Kysely<AccountSchema>,
  key: string | undefined,
  isSampleLeague: () => Promise<boolean>,
): Promise<Account> {
  if (!key) throw new Refusal('missing_key', 'The header X-API-KEY is missing.')
  const row = await accounts
    .selectFrom('api_key')
    .select(['api_key_id', 'plan', 'sample'])
    .where('hash', '=', hashOf(key))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!row || !isPlanName(row.plan) || (row.sample === 1 && !(await isSampleLeague())))
    throw new Refusal('invalid_key', 'The API key is not valid.')
  return { id: row.api_key_id, plan: plans[row.plan] }
}
