import { randomBytes } from 'node:crypto'
import { keyHasher } from '../money/key-hash.ts'

/** Maximum keys remembered from before the shared secret was known. Their names are translated later. */
const mostUnnamed = 1_000

/** Names of API keys, by a secret that all instances share once Redis has sent it. */
export class KeyNames {
  /** Changes when names change. */
  version = 0
  #secret: string | null
  #hash: (apiKey: string) => string
  /** Keys by their names from before the secret was known. */
  readonly #unnamed = new Map<string, string>()

  /** `secret` is that of an earlier start; null if there was none. */
  constructor(secret: string | null) {
    this.#secret = secret
    this.#hash = keyHasher(secret ?? randomBytes(32))
  }

  of(apiKey: string): string {
    const name = this.#hash(apiKey)
    if (this.#secret === null && this.#unnamed.size < mostUnnamed) this.#unnamed.set(name, apiKey)
    return name
  }

  /** The name of a key that all instances use. */
  shared(name: string): string {
    const apiKey = this.#unnamed.get(name)
    return apiKey === undefined ? name : this.#hash(apiKey)
  }

  /** Takes over the shared secret. Returns whether it is a new one. */
  use(secret: string): boolean {
    if (this.#secret === secret) return false
    this.#secret = secret
    this.#hash = keyHasher(secret)
    this.version += 1
    return true
  }
}
