import { keyHasher } from '../../money/key-hash.ts'

/** Maximum keys remembered, the latest. Their names are translated when the secret changes. */
const mostKeys = 10_000

/** Maximum characters of a remembered key. */
const longestKey = 2_000

/** Maximum earlier names that are translated, the latest. */
const mostRenamed = 3 * mostKeys

/** Names in the text of a batch: strings of 43 characters, also within a string. */
const namesInText = /(?<=")[\w-]{43}(?=\\?")/g

/**
 * Names of API keys, by a secret that all instances share. The secret changes when Redis is reached for the
 * first time, and when Redis has lost it and another instance has stored a new one.
 */
export class KeyNames {
  /** Changes when names change. */
  version = 0
  #secret: string
  #hash: (apiKey: string) => string
  /** Keys by their names, the latest at the end. */
  #keys = new Map<string, string>()
  /** Names by earlier names. */
  #renamed: ReadonlyMap<string, string> = new Map()

  constructor(secret: string) {
    this.#secret = secret
    this.#hash = keyHasher(secret)
  }

  /** The name of a key, which is remembered. */
  of(apiKey: string): string {
    const name = this.#hash(apiKey)
    if (apiKey.length <= longestKey) this.#remember(name, apiKey)
    return name
  }

  /** The name of a key that spends nothing. */
  hashOf(apiKey: string): string {
    return this.#hash(apiKey)
  }

  /** Keeps a billed key among the latest: its name is asked for once, however long it is used. */
  noteBilled(name: string): void {
    const apiKey = this.#keys.get(name)
    if (apiKey !== undefined) this.#remember(name, apiKey)
  }

  #remember(name: string, apiKey: string): void {
    this.#keys.delete(name)
    this.#keys.set(name, apiKey)
    if (this.#keys.size <= mostKeys) return
    const [oldest = ''] = this.#keys.keys()
    this.#keys.delete(oldest)
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
    this.#secret = secret
    this.#hash = keyHasher(secret)
    this.version += 1
    const known = [...this.#keys].map(([before, apiKey]) => ({ before, apiKey, name: this.#hash(apiKey) }))
    this.#keys = new Map(known.map(({ name, apiKey }) => [name, apiKey]))
    const renamed = new Map(known.map(({ before, name }) => [before, name]))
    const earlier = [...this.#renamed].map(([first, before]) => [first, renamed.get(before)] as const)
    const translated = [...earlier, ...renamed].filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    )
    this.#renamed = new Map(translated.slice(-mostRenamed))
    return renamed
  }
}
