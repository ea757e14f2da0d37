import type { Freshness } from './freshness.ts'
import type { GameState } from './game-state.ts'
import { timeOf } from './moment.ts'
import type { LenientMoment, Moment } from './moment.ts'
import type { Value } from '../specification/columns.ts'
import type { Capacity } from './capacity.ts'
import { addVersion, covers, notAfter, untilOf, valueIn } from './row-version.ts'
import type { FreshVersions, Printed, RowVersion, SlotPut, SlotValue } from './row-version.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** A row as it was received, with columns that the specification does not list. */

export const isRow = (value: unknown): value is RawRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Counts all changes of entries, so that a request can tell what was stored before it began. */
let kept = 0

/** The number of changes so far. */
export const keptSoFar = () => kept

/**
 * Estimated bytes of an entry, of a version and a slot without their values, and of an item of a slot's list.
 */
const [entryBytes, versionBytes, slotBytes, itemBytes] = [400, 88, 168, 80]

const none: readonly RowVersion[] = []

/** Rows that joined operations nest in a row. */
const joined = ['teams', 'game', 'prediction', 'odds']

/**
 * Everything known of one row. Its columns are kept in the versions in which they were received, newest
 * first. Its slots are what other operations supply for it (`prediction`: the key of its current prediction).
 * An absent column is unknown, never null.
 */
export class Entry {
  readonly key: string
  // Most rows are received once, so the first version needs no list.
  #newest: RowVersion | undefined
  #older: readonly RowVersion[] = none
  #slots: Map<string, SlotValue> | undefined
  #missingUntil = 0
  #printed: Printed | undefined
  #bytes = entryBytes
  #capacity: Capacity | null = null
  /** The capacity's count at its last use. */
  usedAt = 0
  /** The last change, as counted by `keptSoFar`; 0 if there was none. */
  changedAt = 0
  /** The id of the last `Touched` that contains it. */
  touchedBy = 0
  /** The state of a game, if the row is one. */
  game: GameState | undefined

  constructor(key: string) {
    this.key = key
  }

  /** Its estimated bytes. */
  get size(): number {
    return this.#bytes
  }

  /** Adds the entry to a capacity and removes it from the former one; null when it is evicted. */
  countIn(capacity: Capacity | null): void {
    if (this.#capacity) this.#capacity.size -= this.#bytes
    if (capacity) capacity.size += this.#bytes
    this.#capacity = capacity
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    if (this.#capacity) this.#capacity.size += bytes
  }

  /** A column's value; null if the row has none; undefined if it was not bought or has expired. */
  column(name: string, moment: Moment): Value | undefined {
    const now = timeOf(moment)
    let value = this.#newest && valueIn(this.#newest, name, now)
    for (let index = 0; value === undefined && index < this.#older.length; index += 1) {
      const version = this.#older[index]
      value = version && valueIn(version, name, now)
    }
    if (value !== undefined) return value
    if (this.isMissing(now)) return null
    return typeof moment === 'number' ? undefined : this.#expiredColumn(name, moment)
  }

  /** A column's value in the newest version, if the moment accepts expired ones. */
  #expiredColumn(name: string, { since, onExpired }: LenientMoment): Value | undefined {
    for (const version of this.#versions()) {
      const value = version.boughtAt > since ? valueIn(version, name, Number.NEGATIVE_INFINITY) : undefined
      if (value === undefined) continue
      onExpired(this, version.boughtAt, { column: name })
      return value
    }
    return undefined
  }

  /** The newest version while it is fresh. Its values are the current values of their columns. */
  freshRow(moment: Moment): RawRow | undefined {
    const newest = this.#newest
    return newest && untilOf(newest) > timeOf(moment) ? newest.row : undefined
  }

  /**
   * How columns of a row whose newest version is fresh were last printed; undefined if others were printed,
   * or none since a version has changed, or if an older version has expired.
   */
  printed(id: number, now: number): Printed | undefined {
    if (this.#printed?.id !== id) return undefined
    for (const version of this.#older) if (untilOf(version) <= now) return undefined
    return this.#printed
  }

  /** Notes that columns are printed. */
  notePrinted(id: number): void {
    this.#forgetPrinted()
    this.#printed = { id, text: null }
  }

  /** Stores what was printed, unless a version has changed since it was noted. */
  storePrinted(printed: Printed, text: string): void {
    if (this.#printed !== printed || printed.text !== null) return
    printed.text = text
    this.#grow(text.length)
  }

  #forgetPrinted(): void {
    if (this.#printed?.text) this.#grow(-this.#printed.text.length)
    this.#printed = undefined
  }

  /** Whether all these columns are known and fresh. */
  knows(names: readonly string[], moment: Moment): boolean {
    const row = this.freshRow(moment)
    for (const name of names)
      if (row?.[name] === undefined && this.column(name, moment) === undefined) return false
    return true
  }

  slot(name: string, moment: Moment): unknown {
    const now = timeOf(moment)
    const slot = this.#slots?.get(name)
    if (slot && untilOf(slot) > now) return slot.value
    if (this.isMissing(now)) return null
    if (!slot || typeof moment === 'number' || slot.boughtAt <= moment.since) return undefined
    moment.onExpired(this, slot.boughtAt, { slot: name })
    return slot.value
  }

  /** Until when the newest version may be served; 0 if there is none. */
  get freshUntil(): number {
    return this.#newest ? untilOf(this.#newest) : 0
  }

  /** When its columns were last bought; 0 if never. */
  get boughtAt(): number {
    return this.#newest?.boughtAt ?? 0
  }

  /** When the value of a column at that time was bought; 0 if it has none. */
  columnBoughtAt(name: string, now: number): number {
    return this.#versions().find((version) => valueIn(version, name, now) !== undefined)?.boughtAt ?? 0
  }

  /** When the oldest of its columns at that time was bought. */
  oldestBoughtAt(now: number): number {
    const usable = this.#versions().filter((version) => this.#isUsable(version, now))
    return Math.min(...usable.map(({ boughtAt }) => boughtAt))
  }

  /** Adds its fresh versions to what is known of an answer's freshness. */
  addTo(fresh: FreshVersions, now: number): void {
    if (this.#missingUntil > now) fresh.until = Math.min(fresh.until, this.#missingUntil)
    if (this.#newest) addVersion(fresh, this.#newest, now)
    for (const version of this.#older) addVersion(fresh, version, now)
  }

  /** Until when a slot may be served; 0 if it was never known. */
  slotFreshUntil(name: string): number {
    const slot = this.#slots?.get(name)
    return slot ? untilOf(slot) : 0
  }

  /** When a slot was bought; 0 if never. */
  slotBoughtAt(name: string): number {
    return this.#slots?.get(name)?.boughtAt ?? 0
  }

  /** Whether the row, or one of its slots, was stored before that moment. */
  isOlder(change: number, slot?: string): boolean {
    const order = slot === undefined ? this.#newest?.order : this.#slots?.get(slot)?.order
    return order !== undefined && order <= change
  }

  /** A slot's last value, however old. */
  last(name: string): unknown {
    return this.#slots?.get(name)?.value
  }

  /** Whether a complete answer recently had no such row. */
  isMissing(moment: Moment): boolean {
    return this.#missingUntil > timeOf(moment)
  }

  /** All known columns, newer versions over older ones, without nested rows. */
  columns(moment: Moment): Record<string, unknown> {
    const fresh = this.#versions().filter((version) => this.#isUsable(version, moment))
    const columns: Record<string, unknown> = Object.assign(
      {},
      ...fresh.toReversed().map((version) => version.row),
    )
    for (const name of joined) if (typeof columns[name] === 'object') delete columns[name]
    return columns
  }

  /** Whether a version is fresh, or accepted although it has expired. */
  #isUsable(version: RowVersion, moment: Moment): boolean {
    if (untilOf(version) > timeOf(moment)) return true
    if (typeof moment === 'number' || version.boughtAt <= moment.since) return false
    moment.onExpired(this, version.boughtAt)
    return true
  }

  /** Stores a row as the newest version. `rowBytes` is its size in memory. */
  put(
    row: RawRow,
    supplies: ReadonlySet<string>,
    freshness: Freshness,
    boughtAt: number,
    rowBytes: number,
  ): void {
    this.#forgetPrinted()
    let bytes = versionBytes + rowBytes
    const version = { row, supplies, boughtAt, freshness, order: this.#change(), bytes }
    // Most rows are received once.
    if (this.#newest) {
      const older: RowVersion[] = []
      for (const known of this.#versions())
        if (covers(row, supplies, known)) bytes -= known.bytes
        else older.push(known)
      this.#older = older.length > 0 ? older : none
    }
    this.#newest = version
    this.#grow(bytes)
    this.#missingUntil = 0
  }

  /** Inserts a version behind those that were bought later. */
  putOlder(
    row: RawRow,
    supplies: ReadonlySet<string>,
    freshness: Freshness,
    boughtAt: number,
    rowBytes: number,
  ): void {
    const known = this.#versions()
    const newer = known.filter((one) => one.boughtAt >= boughtAt)
    const older = {
      row,
      supplies,
      boughtAt,
      freshness,
      order: this.#change(),
      bytes: versionBytes + rowBytes,
    }
    if (newer.some((one) => covers(one.row, one.supplies, older))) return
    this.#forgetPrinted()
    const [, ...rest] = [...newer, older, ...known.filter((one) => one.boughtAt < boughtAt)]
    this.#older = rest
    this.#grow(older.bytes)
  }

  putSlot(name: string, put: SlotPut): void {
    this.#setSlot(name, put, this.#change())
  }

  #change(): number {
    return (this.changedAt = kept += 1)
  }

  /**
   * Combines the lists of several slots if the moment accepts all of them. The new slot expires with the first of
   * them. One that is fresh, or expires no sooner, stays.
   */
  joinSlots(whole: string, names: readonly string[], moment: Moment): void {
    const now = timeOf(moment)
    if (this.slot(whole, now) !== undefined) return
    const since = typeof moment === 'number' ? Number.POSITIVE_INFINITY : moment.since
    const parts = names.flatMap((name) => this.#slots?.get(name) ?? [])
    if (parts.length < names.length) return
    if (parts.some((part) => untilOf(part) <= now && part.boughtAt <= since)) return
    const [first] = parts.toSorted((a, b) => untilOf(a) - untilOf(b))
    if (!first || untilOf(first) <= this.slotFreshUntil(whole)) return
    const value = parts.flatMap((part) => part.value ?? [])
    const { freshness, boughtAt, lists } = first
    const order = Math.max(...parts.map((part) => part.order))
    this.#setSlot(whole, { value, freshness, boughtAt, lists }, order)
  }

  #setSlot(name: string, { value, lists, freshness, boughtAt, bytes }: SlotPut, order: number): void {
    const own = bytes ?? itemBytes * (Array.isArray(value) ? value.length : 1)
    const all = slotBytes + name.length + own
    this.#slots ??= new Map()
    this.#grow(all - (this.#slots.get(name)?.bytes ?? 0))
    // Not by a spread: V8 copies an object much slower than it makes one, and this is done for each slot.
    this.#slots.set(name, { value, lists, freshness, boughtAt, order, bytes: all })
  }

  #deleteSlot(name: string, { bytes }: SlotValue): void {
    this.#slots?.delete(name)
    this.#grow(-bytes)
  }

  /** Deletes slots that expired before a time. */
  shed(moment: number): void {
    for (const [name, slot] of this.#slots ?? []) if (untilOf(slot) <= moment) this.#deleteSlot(name, slot)
  }

  /** Deletes lists of which one row is not there any more. */
  shedLists(isThere: (table: string, key: string) => boolean): void {
    for (const [name, slot] of this.#slots ?? []) {
      const { lists, value } = slot
      if (lists === undefined || !Array.isArray(value)) continue
      if (value.some((key) => !isThere(lists, String(key)))) this.#deleteSlot(name, slot)
    }
  }

  /**
   * Corrects times after `moment`, because the clock was ahead. A missing row counts as missing until
   * `missingUntil` at most.
   */
  setBack(moment: number, missingUntil: number): void {
    this.game?.setBack(moment)
    this.#forgetPrinted()
    this.#missingUntil = Math.min(this.#missingUntil, missingUntil)
    this.#newest &&= notAfter(this.#newest, moment)
    this.#older = this.#older.map((version) => notAfter(version, moment))
    for (const [name, slot] of this.#slots ?? []) this.#slots?.set(name, notAfter(slot, moment))
    this.#change()
  }

  /** A separate copy. */
  copy(): Entry {
    const copy = new Entry(this.key)
    copy.#bytes = this.#bytes
    copy.#newest = this.#newest
    copy.#older = this.#older
    copy.#slots = this.#slots && new Map(this.#slots)
    copy.#printed = this.#printed && { ...this.#printed }
    copy.#missingUntil = this.#missingUntil
    copy.changedAt = this.changedAt
    copy.game = this.game?.copy()
    return copy
  }

  /** Drops everything that is known. Nothing may use it any more. */
  clear(): void {
    this.#newest = undefined
    this.#older = none
    this.#slots = undefined
    this.#printed = undefined
    this.game = undefined
  }

  putMissing(freshUntil: number): void {
    this.#change()
    this.#missingUntil = freshUntil
  }

  #versions(): readonly RowVersion[] {
    return this.#newest ? [this.#newest, ...this.#older] : none
  }
}
