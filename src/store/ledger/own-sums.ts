import type { OwnedSums, Sums, Whose } from '../../money/shared-ledger.ts'
import type { Owned, WireChange } from './wire.ts'

type Mutable = { -readonly [Name in keyof Sums]: Sums[Name] }

const none = (): Mutable => ({ tokens: 0, estimated: 0, bytes: 0, calls: 0, reserved: 0 })

interface Known {
  readonly whose: Whose
  /** What this process has written and Redis has confirmed. */
  readonly own: Mutable
  /** What other processes have left in the outbox. Redis does not have it yet. */
  left: Mutable
  /** What all processes have written, as last reported, and what this one has written since. */
  all: Mutable
}

/** Maximum keys whose sums are kept. Others are fetched when they are used again. */
const mostKnown = 10_000

/** Maximum keys that are looked at for each new one, when there are too many. */
const mostLooked = 10

/** Maximum keys whose sums are fetched at once. */
const mostFetched = 200

const names = ['tokens', 'estimated', 'bytes', 'calls', 'reserved'] as const

const areSame = (one: Sums, other: Sums) => names.every((name) => one[name] === other[name])

const idOf = ({ month, kind, name }: Whose) => `${month} ${kind} ${name}`

/**
 * The sums that this process has written to a shared ledger. Subtracted from the sums of all, they give those
 * of the other instances.
 */
export class OwnSums {
  readonly #known = new Map<string, Known>()
  readonly #changed = new Set<Known>()

  /** Adds a confirmed batch. */
  count(changes: readonly WireChange[], granted: readonly number[]): void {
    let opens = 0
    for (const change of changes) {
      if (change.kind === 'open') {
        const isGranted = granted[opens] === 1
        opens += 1
        if (isGranted) this.#reserve(change, change.id, change.tokens)
        continue
      }
      if (this.#reserved.delete(change.id)) this.#add('own', change, { reserved: -change.tokens })
      for (const spent of change.spent) this.#add('own', spent, spent)
    }
  }

  /**
   * Adds a batch that another process has left, or with a sign of -1 takes it away because Redis has it. Returns
   * whose sums have changed.
   */
  countLeft(changes: readonly WireChange[], sign: 1 | -1): readonly Whose[] {
    const changed = changes.flatMap((change) => {
      const reserved = change.kind === 'open' ? change.tokens : -change.tokens
      const spent = change.kind === 'open' ? [] : change.spent
      const reservation = this.#add('left', change, { reserved }, sign)
      return [...reservation, ...spent.flatMap((one) => this.#add('left', one, one, sign))]
    })
    return [...new Set(changed)].map(({ whose }) => whose)
  }

  /** Nothing is left in the outbox. Returns whose sums have changed. */
  forgetLeft(): readonly Whose[] {
    const changed = [...this.#known.values()].filter(({ left }) => !areSame(left, none()))
    for (const known of changed) known.left = none()
    return changed.map(({ whose }) => whose)
  }

  readonly #reserved = new Set<string>()

  #reserve(whose: Owned, id: string, tokens: number): void {
    this.#reserved.add(id)
    this.#add('own', whose, { reserved: tokens })
  }

  #add(part: 'own' | 'left', { month, key, budget }: Owned, by: Partial<Sums>, sign = 1): readonly Known[] {
    const changed = [this.#of({ month, kind: 'key', name: key }), this.#of({ month, kind: 'all', name: '' })]
    if (budget !== '') changed.push(this.#of({ month, kind: 'client', name: budget }))
    for (const known of changed) {
      for (const name of names) known[part][name] += sign * (by[name] ?? 0)
      if (part === 'left') continue
      for (const name of names) known.all[name] += by[name] ?? 0
      this.#changed.add(known)
    }
    return changed
  }

  noteAll(whose: Whose, all: Sums): void {
    const known = this.#of(whose)
    if (!areSame(known.all, all)) this.#changed.add(known)
    known.all = { ...all }
  }

  /**
   * Saves sums that have changed since they were last saved: those of `most` owners, the rest next time. If
   * `save` throws, so does this, and all are saved next time.
   */
  saveChanged(most: number, save: (changed: readonly OwnedSums[]) => void): void {
    const changed = [...this.#changed].slice(0, most)
    if (changed.length === 0) return
    save(changed.map(({ whose, all }) => [whose, all]))
    for (const known of changed) this.#changed.delete(known)
  }

  /** Tokens that all have spent and reserved, as far as is known. */
  used(whose: Whose): number {
    const { all } = this.#of(whose)
    return all.tokens + all.reserved
  }

  /** What the others have written or left. Never negative, even if the shared ledger has lost data. */
  elsewhere(whose: Whose): Sums {
    const { own, all, left } = this.#of(whose)
    const rest = (name: keyof Sums) => Math.max(0, Math.max(0, all[name] - own[name]) + left[name])
    return {
      tokens: rest('tokens'),
      estimated: rest('estimated'),
      bytes: rest('bytes'),
      calls: rest('calls'),
      reserved: rest('reserved'),
    }
  }

  /** Keys have new names; their sums go on. */
  rename(names: ReadonlyMap<string, string>): void {
    for (const [id, known] of this.#known) {
      const { whose } = known
      const name = whose.kind === 'key' ? names.get(whose.name) : undefined
      if (name === undefined) continue
      const renamed = { ...known, whose: { ...whose, name } }
      this.#known.delete(id)
      this.#known.set(idOf(renamed.whose), renamed)
      this.#changed.delete(known)
      this.#changed.add(renamed)
    }
  }

  /** All owners whose sums are known. */
  get owners(): readonly Whose[] {
    return Array.from(this.#known.values(), ({ whose }) => whose)
  }

  /** The latest keys whose sums of any month are known. */
  get keys(): readonly string[] {
    const keys = this.owners.filter(({ kind }) => kind === 'key').map(({ name }) => name)
    return [...new Set(keys.toReversed())].slice(0, mostFetched)
  }

  #of(whose: Whose): Known {
    const id = idOf(whose)
    const known = this.#known.get(id)
    if (known) return known
    const added = { whose, own: none(), left: none(), all: none() }
    this.#known.set(id, added)
    if (this.#known.size > mostKnown) this.#shrink()
    return added
  }

  /** Drops the oldest. Those whose sums cannot be fetched again become the latest. */
  #shrink(): void {
    let looked = 0
    for (const [oldest, known] of this.#known) {
      if (this.#known.size <= mostKnown || looked === mostLooked) break
      looked += 1
      const { own, left } = known
      this.#known.delete(oldest)
      if (own.tokens + own.reserved <= 0 && areSame(left, none())) this.#changed.delete(known)
      else this.#known.set(oldest, known)
    }
  }
}
