/** Maximum stores that nobody needs. */
const most = 100

/** What is kept while it is needed. */
interface Needed {
  readonly isNeeded: boolean
  /** Called whenever it is asked for: it is about to be shown. */
  expect(): void
}

/** Stores by key. If there are many that nobody needs, the oldest of those are dropped. */
export class Stores<Kind extends Needed> {
  /** In the order in which they were last asked for. */
  readonly #stores = new Map<string, Kind>()

  get(key: string, create: () => Kind): Kind {
    const known = this.#stores.get(key)
    const store = known ?? create()
    store.expect()
    this.#stores.delete(key)
    this.#stores.set(key, store)
    if (!known) this.#drop()
    return store
  }

  entries(): readonly (readonly [string, Kind])[] {
    return [...this.#stores]
  }

  #drop(): void {
    if (this.#stores.size <= most) return
    const unneeded = this.entries().filter(([, { isNeeded }]) => !isNeeded)
    for (const [key] of unneeded.slice(0, -most)) this.#stores.delete(key)
  }
}
