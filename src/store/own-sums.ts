import type { Sums, Whose } from '../money/shared-ledger.ts'
import type { WireChange, WireRow } from './ledger-wire.ts'

type Mutable = { -readonly [Name in keyof Sums]: Sums[Name] }

const none = (): Mutable => ({ tokens: 0, estimated: 0, bytes: 0, calls: 0, reserved: 0 })

interface Known {
  readonly whose: Whose
  /** What this process has written and Redis has confirmed. */
  readonly own: Mutable
  /** What all processes have written, as last reported. */
  all: Sums
}

/** Maximum keys whose sums are kept. Others are fetched when they are used again. */
const mostKnown = 10_000

const idOf = ({ month, kind, name }: Whose) => `${month} ${kind} ${name}`

/**
 * The sums that this process has written to a shared ledger. Subtracted from the sums of all, they give those
 * of the other instances.
 */
export class OwnSums {
  readonly #known = new Map<string, Known>()

  /** Adds a confirmed batch. */
  count(changes: readonly WireChange[], granted: readonly number[]): void {
    let opens = 0
    for (const change of changes) {
      if (change.kind === 'open') {
        const isGranted = granted[opens] === 1
        opens += 1
        if (isGranted) this.#reserve(change.opened.id, change.opened, change.opened.tokens)
        continue
      }
      const { opened, spent } = change
      if (this.#reserved.delete(opened.id)) this.#add(opened, { reserved: -opened.tokens })
      for (const { tokens, estimated, bytes, calls, ...row } of spent)
        this.#add({ ...row, tokens, estimated, bytes, calls }, { tokens, estimated, bytes, calls })
    }
  }

  readonly #reserved = new Set<string>()

  #reserve(id: string, row: WireRow, reserved: number): void {
    this.#reserved.add(id)
    this.#add(row, { reserved })
  }

  #add(row: WireRow, sums: Partial<Sums>): void {
    for (const whose of ownersOf(row)) {
      const { own } = this.#of(whose)
      for (const name of ['tokens', 'estimated', 'bytes', 'calls', 'reserved'] as const)
        own[name] += sums[name] ?? 0
    }
  }

  noteAll(whose: Whose, all: Sums): void {
    this.#of(whose).all = all
  }

  /** What the others have written. Never negative, even if the shared ledger has lost data. */
  elsewhere(whose: Whose): Sums {
    const { own, all } = this.#of(whose)
    const rest = (name: keyof Sums) => Math.max(0, all[name] - own[name])
    return {
      tokens: rest('tokens'),
      estimated: rest('estimated'),
      bytes: rest('bytes'),
      calls: rest('calls'),
      reserved: rest('reserved'),
    }
  }

  /** The owners whose sums of a month are known, in the form of the scripts. */
  names(month: string): readonly (readonly string[])[] {
    return [...this.#known.values()]
      .filter(({ whose }) => whose.month === month)
      .slice(-200)
      .map(({ whose: { kind, name } }) => [month, kind, name])
  }

  all(): readonly (readonly [Whose, Sums])[] {
    return [...this.#known.values()].map(({ whose, all }) => [whose, all] as const)
  }

  #of(whose: Whose): Known {
    const id = idOf(whose)
    const known = this.#known.get(id) ?? { whose, own: none(), all: none() }
    this.#known.delete(id)
    this.#known.set(id, known)
    for (const [oldest, { own }] of this.#known) {
      if (this.#known.size <= mostKnown || own.tokens + own.reserved > 0) break
      this.#known.delete(oldest)
    }
    return known
  }
}

const ownersOf = ({ month, key, budget }: WireRow): readonly Whose[] => [
  { month, kind: 'key', name: key },
  { month, kind: 'all', name: '' },
  ...(budget === '' ? [] : [{ month, kind: 'client', name: budget } as const]),
]
