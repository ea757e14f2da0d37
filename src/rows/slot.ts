import type { Freshness } from './freshness.ts'
import type { GameState } from './game-state.ts'
import type { Moment } from './moment.ts'
import type { RowFreshness } from './row-freshness.ts'

/** The entry of a row, as far as its slots are concerned. */
export interface SlotOwner {
  readonly key: string
  /** Of a game: what any row has told of it. */
  readonly game?: GameState | undefined
  slot(name: string, now: Moment): unknown
  stale(name: string): unknown
  isOlder(moment: number, name: string): boolean
  slotFreshUntil(name: string): number
  slotBoughtAt(name: string): number
  joinSlots(whole: string, names: readonly string[], now: Moment): void
  putSlot(name: string, value: unknown, freshness: Freshness, boughtAt: number): void
}

/** Something that is put, by its age. */
export type Put = readonly [freshness: Freshness, boughtAt: number]

/** What the freshness of a slot is decided by. */
export interface Judge {
  /** Whether what is put was bought before, so that what is known and newer stays. */
  readonly isReplaying: boolean
  /** Notes how fresh what is put is, where that is asked. */
  readonly puts?: Put[] | null
  readonly fresh: RowFreshness
  readonly rows: { entry(table: string, key: string): { column(name: string, now: Moment): unknown } }
  game(key: string): GameState
}

/** Decides the freshness of a value of an owner. */
type FreshnessOf<V> = (judge: Judge, owner: SlotOwner, value: V, boughtAt: number) => Freshness

/** What an operation says of a row, such as the keys of a team's ratings: the only way to read it and to write it. */
export class Slot<V> {
  /** Unique among the slots of an entry. */
  readonly name: string
  readonly #freshnessOf: FreshnessOf<V>

  constructor(name: string, freshnessOf: FreshnessOf<V>) {
    this.name = name
    this.#freshnessOf = freshnessOf
  }

  /** The value; null also where the row is known to be missing; undefined where it was not bought, or not lately. */
  read(owner: SlotOwner, now: Moment): V | null | undefined {
    return owner.slot(this.name, now) as V | null | undefined // put() is the only writer of this name
  }

  /** The last value, however old; undefined where there never was one. */
  stale(owner: SlotOwner): V | undefined {
    return owner.stale(this.name) as V | undefined // put() is the only writer of this name
  }

  put(judge: Judge, owner: SlotOwner, value: V, boughtAt: number): void {
    const isOld = judge.isReplaying && owner.slotBoughtAt(this.name) > boughtAt
    if (isOld && !judge.puts) return
    const freshness = this.#freshnessOf(judge, owner, value, boughtAt)
    judge.puts?.push([freshness, boughtAt])
    if (!isOld) owner.putSlot(this.name, value, freshness, boughtAt)
  }

  /** Whether the value was kept before that moment. */
  isOlder(owner: SlotOwner, moment: number): boolean {
    return owner.isOlder(moment, this.name)
  }

  /** Until when the value may be served; 0 where there never was one. */
  freshUntil(owner: SlotOwner): number {
    return owner.slotFreshUntil(this.name)
  }

  /** When the value was bought; 0 where there never was one. */
  boughtAt(owner: SlotOwner): number {
    return owner.slotBoughtAt(this.name)
  }
}

interface SlotDeclaration<V, K> {
  readonly name: string
  /** Tells the slots of one declaration apart, as a season does. */
  readonly keyOf: (key: K) => string
  readonly freshness: (judge: Judge, key: K, owner: SlotOwner, value: V, boughtAt: number) => Freshness
}

/** Makes a list of the lists of several slots, where each is known now; as old as the oldest of them. */
export function joinSlots<T>(
  owner: SlotOwner,
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

/** Declares slots that differ by a key: `slots({...})(key)` is one of them. */
export function slots<V, K>({ name, keyOf, freshness }: SlotDeclaration<V, K>): (key: K) => Slot<V> {
  claim(name)
  return (key) =>
    new Slot<V>(`${name} ${keyOf(key)}`, (judge, owner, value, boughtAt) =>
      freshness(judge, key, owner, value, boughtAt),
    )
}

/** Declares a slot that every row of a table has once. */
export function slot<V>(name: string, freshness: FreshnessOf<V>): Slot<V> {
  claim(name)
  return new Slot<V>(name, freshness)
}

const claimed = new Set<string>()

/** Two declarations of one name would read each other's values. */
function claim(name: string): void {
  if (claimed.has(name)) throw new Error(`Two slots are named ${name}.`)
  claimed.add(name)
}
