import type { Freshness } from '../rows/freshness.ts'
import type { GameState } from '../rows/game-state.ts'
import { timeOf } from '../rows/moment.ts'
import type { LenientMoment, Moment } from '../rows/moment.ts'
import type { Value } from '../specification/columns.ts'
import type { Capacity } from './capacity.ts'

/** A row as an answer brought it. Columns that the specification does not list pass through. */
export type RawRow = Readonly<Record<string, unknown>>

export const isRow = (value: unknown): value is RawRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Counts what has been kept, so that a request can tell what was there before it. */
let kept = 0

/** The moment now, counted in what has been kept. */
export const keptSoFar = () => kept

interface RowVersion {
  readonly row: RawRow
  /** Columns that the operation promises; one that the row leaves out has no value. */
  readonly supplies: ReadonlySet<string>
  readonly boughtAt: number
  readonly freshness: Freshness
  readonly order: number
  readonly bytes: number
}

interface SlotValue {
  readonly value: unknown
  readonly boughtAt: number
  readonly freshness: Freshness
  readonly order: number
  readonly bytes: number
}

/** Judged on every read, because what decides it, such as a game's state, may be learned later. */
const untilOf = ({ freshness, boughtAt }: RowVersion | SlotValue): number => freshness.until(boughtAt)

/** Bytes of an entry in its table, of a version and of a slot without the values in them, and of an item of a slot's list. */
const [entryBytes, versionBytes, slotBytes, itemBytes] = [400, 88, 168, 80]

/** Columns that never change once they are known, so that no freshness ends them. */
const lasting = new Set([
  'organization_id',
  'division_id',
  'season',
  'game_id',
  'team_id',
  'player_id',
  'home_team_id',
  'away_team_id',
])

const none: readonly RowVersion[] = []

/** What joined operations nest in a row. */
const joined = ['teams', 'game', 'prediction', 'odds']

/**
 * What has been paid for of one row: its columns, in the versions in which they came, newest first, and its slots, which are what
 * other operations say of it (`prediction`: the key of its current prediction). An absent column is unknown, never null.
 */
export class Entry {
  readonly key: string
  // Most rows come once: the first version needs no list.
  #newest: RowVersion | undefined
  #older: readonly RowVersion[] = none
  #slots: Map<string, SlotValue> | undefined
  #missingUntil = 0
  #bytes = entryBytes
  #capacity: Capacity | null = null
  /** The capacity's moment at which it was last asked for. */
  usedAt = 0
  /** When anything was kept of it last, as `keptSoFar` counts; 0: never. */
  changedAt = 0
  /** The id of the answer that it was last made a part of. */
  touchedBy = 0
  /** Of a game: what any row has told of it. */
  game: GameState | undefined

  constructor(key: string) {
    this.key = key
  }

  /** An estimate of the bytes that it takes. */
  get size(): number {
    return this.#bytes
  }

  /** Counts the entry into a capacity while it is kept there; into none once it is evicted. */
  countIn(capacity: Capacity | null): void {
    if (this.#capacity) this.#capacity.size -= this.#bytes
    if (capacity) capacity.size += this.#bytes
    this.#capacity = capacity
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    if (this.#capacity) this.#capacity.size += bytes
  }

  /** A column's value; null where the row has none; undefined where nobody has paid for it, or not lately. */
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

  /** A column's value in the newest version that is accepted though it has expired. */
  #expiredColumn(name: string, { since, onExpired }: LenientMoment): Value | undefined {
    for (const version of this.#versions()) {
      const value = version.boughtAt > since ? valueIn(version, name, Number.NEGATIVE_INFINITY) : undefined
      if (value === undefined) continue
      onExpired(this, version.boughtAt)
      return value
    }
    return undefined
  }

  /** The columns that were kept last, while they are fresh: a value among them is the value of its column. */
  freshRow(moment: Moment): RawRow | undefined {
    const newest = this.#newest
    return newest && untilOf(newest) > timeOf(moment) ? newest.row : undefined
  }

  /** Whether each of these columns has been paid for, and lately. */
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
    moment.onExpired(this, slot.boughtAt, name)
    return slot.value
  }

  /** Until when the columns that were kept last may be served; 0 where there are none. */
  get freshUntil(): number {
    return this.#newest ? untilOf(this.#newest) : 0
  }

  /** When its columns were bought last; 0 where they never were. */
  get boughtAt(): number {
    return this.#newest?.boughtAt ?? 0
  }

  /** When the first of its columns that are fresh now will have aged; infinite where none will. */
  columnsAgeAt(now: number): number {
    let first = this.#missingUntil > now ? this.#missingUntil : Number.POSITIVE_INFINITY
    if (this.#newest) first = Math.min(first, ageAfter(this.#newest, now))
    for (const version of this.#older) first = Math.min(first, ageAfter(version, now))
    return first
  }

  /** How many of the versions that its columns came in are fresh. */
  freshVersions(now: number): number {
    let count = this.#newest && untilOf(this.#newest) > now ? 1 : 0
    for (const version of this.#older) if (untilOf(version) > now) count += 1
    return count
  }

  /** Until when a slot may be served; 0 where it never was known. */
  slotFreshUntil(name: string): number {
    const slot = this.#slots?.get(name)
    return slot ? untilOf(slot) : 0
  }

  /** When a slot was bought; 0 where it never was. */
  slotBoughtAt(name: string): number {
    return this.#slots?.get(name)?.boughtAt ?? 0
  }

  /** Whether the row, or a slot of it, was kept before that moment. */
  isOlder(moment: number, slot?: string): boolean {
    const order = slot === undefined ? this.#newest?.order : this.#slots?.get(slot)?.order
    return order !== undefined && order <= moment
  }

  /** What a slot last was, however long ago. */
  stale(name: string): unknown {
    return this.#slots?.get(name)?.value
  }

  /** Whether a whole answer said lately that there is no such row. */
  isMissing(moment: Moment): boolean {
    return this.#missingUntil > timeOf(moment)
  }

  /** Every column known now, an older version's beneath a newer one's; without the rows that a joined operation nests in it. */
  columns(moment: Moment): Record<string, unknown> {
    const fresh = this.#versions().filter((version) => this.#isUsable(version, moment))
    const columns: Record<string, unknown> = Object.assign(
      {},
      ...fresh.toReversed().map((version) => version.row),
    )
    for (const name of joined) if (typeof columns[name] === 'object') delete columns[name]
    return columns
  }

  /** Whether a version is fresh, or accepted though it has expired. */
  #isUsable(version: RowVersion, moment: Moment): boolean {
    if (untilOf(version) > timeOf(moment)) return true
    if (typeof moment === 'number' || version.boughtAt <= moment.since) return false
    moment.onExpired(this, version.boughtAt)
    return true
  }

  /** Keeps a row as the newest; `rowBytes` is what it takes in memory. */
  put(
    row: RawRow,
    supplies: ReadonlySet<string>,
    freshness: Freshness,
    boughtAt: number,
    rowBytes: number,
  ): void {
    let bytes = versionBytes + rowBytes
    const version = { row, supplies, boughtAt, freshness, order: this.#change(), bytes }
    // Most rows come once.
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

  /** Puts a row beneath those that were bought after it. */
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
    const [, ...rest] = [...newer, older, ...known.filter((one) => one.boughtAt < boughtAt)]
    this.#older = rest
    this.#grow(older.bytes)
  }

  putSlot(name: string, value: unknown, freshness: Freshness, boughtAt: number): void {
    this.#setSlot(name, { value, freshness, boughtAt, order: this.#change() })
  }

  #change(): number {
    return (this.changedAt = kept += 1)
  }

  /** Makes a list of the keys that other slots hold, where each is known now; as old as the newest of them. */
  joinSlots(whole: string, names: readonly string[], moment: Moment): void {
    if (this.slot(whole, moment) !== undefined) return
    const now = timeOf(moment)
    const parts = names.flatMap((name) => this.#slots?.get(name) ?? [])
    if (parts.length < names.length || parts.some((part) => untilOf(part) <= now)) return
    const [first] = parts.toSorted((a, b) => untilOf(a) - untilOf(b))
    if (!first) return
    const value = parts.flatMap((part) => part.value ?? [])
    this.#setSlot(whole, { ...first, value, order: Math.max(...parts.map(({ order }) => order)) })
  }

  #setSlot(name: string, { value, freshness, boughtAt, order }: Omit<SlotValue, 'bytes'>): void {
    const bytes = slotBytes + name.length + itemBytes * (Array.isArray(value) ? value.length : 1)
    this.#slots ??= new Map()
    this.#grow(bytes - (this.#slots.get(name)?.bytes ?? 0))
    this.#slots.set(name, { value, freshness, boughtAt, order, bytes })
  }

  /** Drops the slots that had aged before a moment. */
  shed(moment: number): void {
    for (const [name, slot] of this.#slots ?? []) {
      if (untilOf(slot) > moment) continue
      this.#slots?.delete(name)
      this.#grow(-slot.bytes)
    }
  }

  /**
   * Counts what was bought after a moment as bought then: the clock was ahead, and has been set back. A row
   * that was missing counts as such until `missingUntil` at most.
   */
  setBack(moment: number, missingUntil: number): void {
    this.game?.setBack(moment)
    this.#missingUntil = Math.min(this.#missingUntil, missingUntil)
    this.#newest &&= notAfter(this.#newest, moment)
    this.#older = this.#older.map((version) => notAfter(version, moment))
    for (const [name, slot] of this.#slots ?? []) this.#slots?.set(name, notAfter(slot, moment))
    this.#change()
  }

  /** An entry that knows the same and goes its own way. */
  copy(): Entry {
    const copy = new Entry(this.key)
    copy.#bytes = this.#bytes
    copy.#newest = this.#newest
    copy.#older = this.#older
    copy.#slots = this.#slots && new Map(this.#slots)
    copy.#missingUntil = this.#missingUntil
    copy.changedAt = this.changedAt
    copy.game = this.game?.copy()
    return copy
  }

  putMissing(freshUntil: number): void {
    this.#change()
    this.#missingUntil = freshUntil
  }

  #versions(): readonly RowVersion[] {
    return this.#newest ? [this.#newest, ...this.#older] : none
  }
}

const notAfter = <P extends RowVersion | SlotValue>(one: P, moment: number): P =>
  one.boughtAt > moment ? { ...one, boughtAt: moment } : one

/** When a version that is fresh now will have aged; infinite for one that is not. */
function ageAfter(version: RowVersion, now: number): number {
  const until = untilOf(version)
  return until > now ? until : Number.POSITIVE_INFINITY
}

/** A column's value in one version; undefined where it has none, or has aged. */
function valueIn(version: RowVersion, name: string, now: number): Value | undefined {
  const { row, supplies } = version
  if (untilOf(version) <= now && !lasting.has(name)) return undefined
  const value = row[name]
  // Rows come from JSON.parse, own no undefined, and the conversion of the graph judges what they hold.
  if (value !== undefined && Object.hasOwn(row, name)) return value as Value
  return supplies.has(name) ? null : undefined
}

function covers(row: RawRow, supplies: ReadonlySet<string>, older: RowVersion): boolean {
  if (supplies !== older.supplies)
    for (const column of older.supplies) if (!supplies.has(column)) return false
  for (const column in older.row) if (!supplies.has(column) && !Object.hasOwn(row, column)) return false
  return true
}
