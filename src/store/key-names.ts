import { randomBytes } from 'node:crypto'
import { keyHasher } from '../money/key-hash.ts'

/** Maximum keys remembered. Their names are translated when the secret changes. */
const mostKeys = 10_000

/** Maximum earlier secrets whose names are translated. */
const mostEarlier = 3

/** Names in the text of a batch: strings of 43 characters, also within a string. */
const namesInText = /(?<=")[\w-]{43}(?=\\?")/g

/**
 * Names of API keys, by a secret that all instances share. The secret changes when Redis is reached for the
 * first time, and when Redis has lost it and another instance has stored a new one.
 */
export class KeyNames {
  /** Changes when names change. */
  version = 0
  #secret: string | null
  #hash: (apiKey: string) => string
  #earlier: readonly ((apiKey: string) => string)[] = []
  /** Keys by their names. */
  #keys = new Map<string, string>()
  /** Names by earlier names. */
  readonly #renamed = new Map<string, string>()

  /** `secret` is that of an earlier start; null if there was none. */
  constructor(secret: string | null) {
    this.#secret = secret
    this.#hash = keyHasher(secret ?? randomBytes(32))
  }

  of(apiKey: string): string {
    const name = this.#hash(apiKey)
    if (this.#keys.size < mostKeys && !this.#keys.has(name)) this.#remember(apiKey, name)
    return name
  }

  #remember(apiKey: string, name: string): void {
    this.#keys.set(name, apiKey)
    for (const hash of this.#earlier) this.#renamed.set(hash(apiKey), name)
  }

  /** The name of a key that all instances use. */
  shared(name: string): string {
    return this.#renamed.get(name) ?? name
  }

  /** A text of the scripts in which each key has the name that all instances use. */
  sharedInText(text: string): string {
    return text.replace(namesInText, (name) => this.shared(name))
  }

  /** Takes over the shared secret. Returns new names by those before; null if the secret is the known one. */
  use(secret: string): ReadonlyMap<string, string> | null {
    if (this.#secret === secret) return null
    const before = this.#keys
    this.#earlier = [...this.#earlier, this.#hash].slice(-mostEarlier)
    this.#secret = secret
    this.#hash = keyHasher(secret)
    this.#keys = new Map()
    this.version += 1
    for (const apiKey of before.values()) this.#remember(apiKey, this.#hash(apiKey))
    return new Map([...before.keys()].map((name) => [name, this.shared(name)]))
  }
}
