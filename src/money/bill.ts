/** What calls cost. */
export interface Bill {
  readonly tokens: number
  readonly bytes: number
  /** Whether some of the tokens are estimated, because the service did not report its bill. */
  readonly estimated: boolean
}

export const noBill: Bill = { tokens: 0, bytes: 0, estimated: false }

export const sumOf = (a: Bill, b: Bill): Bill => ({
  tokens: a.tokens + b.tokens,
  bytes: a.bytes + b.bytes,
  estimated: a.estimated || b.estimated,
})
