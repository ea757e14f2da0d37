/** Maximum stores that no component shows. */
const most = 100

/** Stores by key. If there are many, those that no component shows are dropped, the oldest first. */
export class Stores<Kind extends { readonly isShown: boolean }> {
  readonly #stores = new Map<string, Kind>()

  known(key: string): Kind | undefined {
    return this.#stores.get(key)
  }

  get(key: string, create: () => Kind): Kind {
    const known = this.#stores.get(key)
    if (known) return known
    if (this.#stores.size >= most) this.#drop()
    const store = create()
    this.#stores.set(key, store)
    return store
  }

  entries(): readonly (readonly [string, Kind])[] {
    return [...this.#stores]
  }

  #drop(): void {
    for (const [key, { isShown }] of this.#stores) if (!isShown) return void this.#stores.delete(key)
  }
}
