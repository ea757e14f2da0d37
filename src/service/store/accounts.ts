/** A key that was handed out. The key itself is kept nowhere: `hash` is its SHA-256 in hexadecimal. */
export interface ApiKey {
  api_key_id: string
  hash: string
  plan: string
  name: string | null
  /** 1: known over the sample league alone. */
  sample: number
  created_at: string
  revoked_at: string | null
}

/** What a key has used in a calendar month (UTC), `YYYY-MM`. */
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
