/** The name of all that is not kept apart. */
export const otherName = 'other'

/** Bounds names that clients choose: the first so many are kept apart, all later ones are one. */
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
