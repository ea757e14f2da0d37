/**
 * Whether one more round trip is worth the wait: it saves more than a quarter of the bytes, and at least two
 * tokens.
 */
export const isWorthRoundTrip = (saved: number, bytes: number, bytesPerToken: number): boolean =>
  saved > bytes / 4 && saved >= 2 * bytesPerToken
