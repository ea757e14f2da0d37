import type { Incoming } from './transport.ts'

/** What one answer cost. */
export interface Bill {
  readonly tokens: number
  readonly bytes: number
  /** Whether the service's usage header could not be read, so that the tokens are reckoned from the bytes. */
  readonly estimated: boolean
}

/** Bytes that a token pays for, until answers have told. */
export const bytesPerToken = 1024

/** Reads `x-request-usage`, whose format is not shown (specification §8): the first number in it. */
export function billOf(answer: Incoming): Bill {
  const header = answer.headers['x-request-usage']
  const tokens = tokensIn(Array.isArray(header) ? header[0] : header)
  const { bytes } = answer
  return tokens === undefined
    ? { tokens: Math.ceil(bytes / bytesPerToken), bytes, estimated: true }
    : { tokens, bytes, estimated: false }
}

function tokensIn(header: string | undefined): number | undefined {
  const named = header && /(?:tokens?|usage|cost|units?)["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)/i.exec(header)
  const plain = header && /^[^\d-]*(\d+(?:\.\d+)?)/.exec(header)
  const digits = (named || plain || undefined)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
