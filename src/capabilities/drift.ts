import { ownText } from '../own-text.ts'

/** One difference between the service's answers and the specification. Nothing is dropped because of it. */
export type DriftKind = 'unknown column' | 'missing column' | 'new type' | 'new status' | 'wrong key'

export interface DriftLine {
  readonly kind: DriftKind
  /** The place, for example `game.weather`, `game.attendance: text`, `game.status: "abandoned"` or `team`. */
  readonly where: string
  /** The number of inspected rows that show it. */
  readonly count: number
}

/** Maximum number of distinct differences, in case a service makes up a column for each row. */
const most = 500
/** Maximum length of a name, for the same reason. */
const longest = 120

/** Counts differences and reports each once. */
export class Drift {
  readonly #counts = new Map<string, { readonly kind: DriftKind; readonly where: string; count: number }>()
  readonly #listeners: ((line: DriftLine) => void)[] = []
  readonly #keepers: (() => void)[] = []

  constructor(known: readonly DriftLine[] = []) {
    for (const line of known) this.#counts.set(`${line.kind} ${line.where}`, { ...line })
  }

  onNew(listener: (line: DriftLine) => void): void {
    this.#listeners.push(listener)
  }

  /** Calls `listener` for a new difference, and each time its count has grown tenfold. */
  onGrown(listener: () => void): void {
    this.#keepers.push(listener)
  }

  add(kind: DriftKind, place: string): void {
    const where = ownText(place.slice(0, longest))
    const name = `${kind} ${where}`
    const known = this.#counts.get(name)
    if (known) {
      known.count += 1
      if (Number.isInteger(Math.log10(known.count))) for (const keep of this.#keepers) keep()
      return
    }
    if (this.#counts.size >= most) return
    const line = { kind, where, count: 1 }
    this.#counts.set(name, line)
    for (const listener of this.#listeners) listener(line)
    for (const keep of this.#keepers) keep()
  }

  /** Every difference, the most frequent first. */
  get lines(): readonly DriftLine[] {
    return [...this.#counts.values()].map((line) => ({ ...line })).toSorted((a, b) => b.count - a.count)
  }
}
