/** The name for all others. */
export const otherName = 'other'

/** Limits names that clients choose: the first ones are kept, all later ones become one. */
export class Names {
  readonly #most: number
  readonly #known = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  of(name: string): string {
    if (this.#known.has(name)) return name
    if (this.#known.size >= this.#most) return otherName
    this.#known.add(name)
    return name
  }

  /** Forgets all names. */
  clear(): void {
    this.#known.clear()
  }
}
