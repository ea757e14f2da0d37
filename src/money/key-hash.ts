import { createHmac } from 'node:crypto'

/** The name of an API key: its HMAC. It has a fixed length and does not reveal the key. */
export const keyHasher =
  (secret: string | Buffer) =>
  (apiKey: string): string =>
    createHmac('sha256', secret).update(apiKey).digest('base64url')

/** The part of a key's name that is shown in logs. */
export const fingerprintOf = (name: string): string => name.slice(0, 8)
