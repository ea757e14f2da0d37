import { createHmac } from 'node:crypto'

/** The name of a key, by a secret: of one length, whatever a client sends, and of no use to who reads it. */
export const keyNamer =
  (secret: string | Buffer) =>
  (apiKey: string): string =>
    createHmac('sha256', secret).update(apiKey).digest('base64url')

/** Enough of a key's name to tell keys apart in a log. */
export const fingerprintOf = (name: string): string => name.slice(0, 8)
