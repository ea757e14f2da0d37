import type { SqlType } from './sql-types.ts'

/** An issued key. Only its hash is stored: SHA-256 in hexadecimal. */
export interface ApiKey {
  api_key_id: string
  hash: string
  plan: string
  name: string | null
  /** 1: valid for the sample league alone. */
  sample: number
  created_at: string
  revoked_at: string | null
}

/** The usage of a key in a calendar month (UTC), `YYYY-MM`. */
export interface Usage {
  api_key_id: string
  month: string
  tokens: number
  bytes: number
  calls: number
}

export interface AccountSchema {
  api_key: ApiKey
  usage: Usage
}

type Columns = { readonly [T in keyof AccountSchema]: { readonly [C in keyof AccountSchema[T]]: SqlType } }

/** The columns of each table, with their types. */
export const accountTables = {
  api_key: {
    api_key_id: 'text',
    hash: 'text',
    plan: 'text',
    name: 'text',
    sample: 'integer',
    created_at: 'text',
    revoked_at: 'text',
  },
  usage: { api_key_id: 'text', month: 'text', tokens: 'bigint', bytes: 'bigint', calls: 'bigint' },
} as const satisfies Columns
