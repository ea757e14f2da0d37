import type { Entry } from './entry.ts'
import type { Freshness } from './freshness.ts'
import type { GameState } from './game-state.ts'
import type { Moment } from './moment.ts'
import type { RowFreshness } from './row-freshness.ts'
import { textOf } from './values.ts'

/** The keys of rows, in order. */
export type Keys = readonly string[]

const noKeys: Keys = []

/** The freshness and the age of a stored value. */
export type Put = readonly [freshness: Freshness, boughtAt: number]

/** What decides the freshness of a slot. */
export interface SlotCache {
  /** Whether values being stored are old, so that newer ones stay. */
  readonly isRestoring: boolean
  /** If set, collects the freshness of stored values. */
  readonly puts?: Put[] | null
  readonly fresh: RowFreshness
  readonly rows: { entry(table: string, key: string): { column(name: string, now: Moment): unknown } }
  game(key: string): GameState
}

/** Returns the freshness of an owner's value. */
type FreshnessOf<V> = (cache: SlotCache, owner: Entry, value: V, boughtAt: number) => Freshness

/**
 * A value that an operation supplies for a row, such as the keys of a team's ratings. It is read and written
 * only through its slot.
 */
export class Slot<V> {
  /** Unique among the slots of an entry. */
  readonly name: string
  readonly #freshnessOf: FreshnessOf<V>
  readonly #lists: string | undefined
  readonly #bytesOf: ((value: V) => number) | undefined

  /**
   * `lists`: the table whose keys the value is. It is evicted with its rows. `bytesOf`: the bytes of a value that is
   * neither keys nor small.
   */
  constructor(name: string, freshnessOf: FreshnessOf<V>, lists?: string, bytesOf?: (value: V) => number) {
    this.name = name
    this.#freshnessOf = freshnessOf
    this.#lists = lists
    this.#bytesOf = bytesOf
  }

  /** The value; null also if the row does not exist, no keys of a list; undefined if the value was not bought or has expired. */
  read(owner: Entry, now: Moment): V | null | undefined {
    const value = owner.slot(this.name, now)
    // A slot with `lists` has lists of keys; put() is the only writer of this name.
    return (value === null && this.#lists !== undefined ? noKeys : value) as V | null | undefined
  }

  /** The last value, however old; undefined if there was none. */
  last(owner: Entry): V | undefined {
    return owner.last(this.name) as V | undefined // put() is the only writer of this name
  }

  /** The same; no keys of a list, or null, if there was none. */
  lastOrNone(owner: Entry): V | null {
    const value = this.last(owner) ?? null
    return (value === null && this.#lists !== undefined ? noKeys : value) as V | null // as in read()
  }

  put(cache: SlotCache, owner: Entry, value: V, boughtAt: number): void {
    const isOld = cache.isRestoring && owner.slotBoughtAt(this.name) > boughtAt
    if (isOld && !cache.puts) return
    const freshness = this.#freshnessOf(cache, owner, value, boughtAt)
    cache.puts?.push([freshness, boughtAt])
    if (isOld) return
    const bytes = this.#bytesOf?.(value)
    owner.putSlot(this.name, { value, freshness, boughtAt, lists: this.#lists, bytes })
  }

  /** Whether the value was stored before that moment. */
  isOlder(owner: Entry, moment: number): boolean {
    return owner.isOlder(moment, this.name)
  }

  /** Until when the value may be served; 0 without a value. */
  freshUntil(owner: Entry): number {
    return owner.slotFreshUntil(this.name)
  }

  /** When the value was bought; 0 without a value. */
  boughtAt(owner: Entry): number {
    return owner.slotBoughtAt(this.name)
  }
}

/**
 * Stores an owner's part of a list that covers all owners, if that list is newer than what is stored. Its rows
 * name their owners in a column.
 */
export function putPart(
  cache: SlotCache,
  owner: Entry,
  slot: Slot<readonly string[]>,
  whole: Entry,
  { table, column }: { readonly table: string; readonly column: string },
): void {
  const boughtAt = slot.boughtAt(whole)
  if (slot.boughtAt(owner) >= boughtAt) return
  // Ids do not expire, so any time will do.
  const isOwn = (key: string) => textOf(cache.rows.entry(table, key).column(column, 0)) === owner.key
  slot.put(cache, owner, slot.last(whole)?.filter(isOwn) ?? [], boughtAt)
}

interface SlotDeclaration<V, K> {
  readonly name: string
  /** Makes the slot's name unique among those of one declaration. */
  readonly keyOf: (key: K) => string
  readonly freshness: (cache: SlotCache, key: K, owner: Entry, value: V, boughtAt: number) => Freshness
  /**
   * The table whose keys the value is. The list is evicted with its rows: only they tell their types and their
   * order, and many cannot be read by their keys.
   */
  readonly lists?: (key: K) => string | undefined
  /** The bytes of a value that is neither keys nor small. */
  readonly bytesOf?: (value: V) => number
}

/**
 * Combines the lists of several slots into one if the moment accepts all of them. It expires with the first of
 * them.
 */
export function joinSlots<T>(
  owner: Entry,
  whole: Slot<readonly T[]>,
  parts: readonly Slot<readonly T[]>[],
  now: Moment,
): void {
  owner.joinSlots(
    whole.name,
    parts.map(({ name }) => name),
    now,
  )
}

/** Declares a family of slots: `slots({...})(key)` is one of them. */
export function slots<V, K>({
  name,
  keyOf,
  freshness,
  lists,
  bytesOf,
}: SlotDeclaration<V, K>): (key: K) => Slot<V> {
  claim(name)
  return (key) =>
    new Slot<V>(
      `${name} ${keyOf(key)}`,
      (cache, owner, value, boughtAt) => freshness(cache, key, owner, value, boughtAt),
      lists?.(key),
      bytesOf,
    )
}

/** Declares a slot that each row of a table has once. */
export function slot<V>(name: string, freshness: FreshnessOf<V>, lists?: string): Slot<V> {
  claim(name)
  return new Slot<V>(name, freshness, lists)
}

const claimed = new Set<string>()

/** Two declarations of one name would read each other's values. */
function claim(name: string): void {
  if (claimed.has(name)) throw new Error(`Two slots are named ${name}.`)
  claimed.add(name)
}
