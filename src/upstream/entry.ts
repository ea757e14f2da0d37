import type { Freshness } from '../rows/freshness.ts'
import type { GameState } from '../rows/game-state.ts'
import { timeOf } from '../rows/moment.ts'
import type { LenientMoment, Moment } from '../rows/moment.ts'
import type { Value } from '../specification/columns.ts'
import type { Stock } from './stock.ts'

/** A row as an answer brought it. Columns that the specification does not list pass through. */
export type RawRow = Readonly<Record<string, unknown>>

export const isRow = (value: unknown): value is RawRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Counts what has been kept, so that a request can tell what was there before it. */
let kept = 0

/** The moment now, counted in what has been kept. */
export const keptSoFar = () => kept

interface Parcel {
  readonly row: RawRow
  /** Columns that the operation promises; one that the row leaves out has no value. */
  readonly supplies: ReadonlySet<string>
  readonly boughtAt: number
  readonly freshness: Freshness
  readonly order: number
  readonly bytes: number
}

interface Facet {
  readonly value: unknown
  readonly boughtAt: number
  readonly freshness: Freshness
  readonly order: number
  readonly bytes: number
}

/** Judged on every read, because what decides it, such as a game's state, may be learned later. */
const untilOf = ({ freshness, boughtAt }: Parcel | Facet): number => freshness.until(boughtAt)

/** Bytes of an entry in its table, of a parcel and of a facet without the values in them, and of an item of a facet's list. */
const [entryBytes, parcelBytes, facetBytes, itemBytes] = [400, 88, 168, 80]

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

const none: readonly Parcel[] = []

/** What joined operations nest in a row. */
const joined = ['teams', 'game', 'prediction', 'odds']

/**
 * What has been paid for of one row: its columns, in the parcels in which they came, newest first, and its facets, which are what
 * other operations say of it (`prediction`: the key of its current prediction). An absent column is unknown, never null.
 */
export class Entry {
  readonly key: string
  // Most rows come once: the first parcel needs no list.
  #newest: Parcel | undefined
  #older: readonly Parcel[] = none
  #facets: Map<string, Facet> | undefined
  #missingUntil = 0
  #bytes = entryBytes
  #stock: Stock | null = null
  /** The stock's moment at which it was last asked for. */
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

  /** Counts the entry into a stock while it is kept there; into none once it is evicted. */
  countIn(stock: Stock | null): void {
    if (this.#stock) this.#stock.size -= this.#bytes
    if (stock) stock.size += this.#bytes
    this.#stock = stock
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    if (this.#stock) this.#stock.size += bytes
  }

  /** A column's value; null where the row has none; undefined where nobody has paid for it, or not lately. */
  column(name: string, moment: Moment): Value | undefined {
    const now = timeOf(moment)
    let value = this.#newest && valueIn(this.#newest, name, now)
    for (let index = 0; value === undefined && index < this.#older.length; index += 1) {
      const parcel = this.#older[index]
      value = parcel && valueIn(parcel, name, now)
    }
    if (value !== undefined) return value
    if (this.isMissing(now)) return null
    return typeof moment === 'number' ? undefined : this.#expiredColumn(name, moment)
  }

  /** A column's value in the newest parcel that is accepted though it has expired. */
  #expiredColumn(name: string, { since, onExpired }: LenientMoment): Value | undefined {
    for (const parcel of this.#parcels()) {
      const value = parcel.boughtAt > since ? valueIn(parcel, name, Number.NEGATIVE_INFINITY) : undefined
      if (value === undefined) continue
      onExpired(this, parcel.boughtAt)
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

  facet(name: string, moment: Moment): unknown {
    const now = timeOf(moment)
    const facet = this.#facets?.get(name)
    if (facet && untilOf(facet) > now) return facet.value
    if (this.isMissing(now)) return null
    if (!facet || typeof moment === 'number' || facet.boughtAt <= moment.since) return undefined
    moment.onExpired(this, facet.boughtAt, name)
    return facet.value
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
    for (const parcel of this.#older) first = Math.min(first, ageAfter(parcel, now))
    return first
  }

  /** How many of the parcels that its columns came in are fresh. */
  freshParcels(now: number): number {
    let count = this.#newest && untilOf(this.#newest) > now ? 1 : 0
    for (const parcel of this.#older) if (untilOf(parcel) > now) count += 1
    return count
  }

  /** Until when a facet may be served; 0 where it never was known. */
  facetFreshUntil(name: string): number {
    const facet = this.#facets?.get(name)
    return facet ? untilOf(facet) : 0
  }

  /** When a facet was bought; 0 where it never was. */
  facetBoughtAt(name: string): number {
    return this.#facets?.get(name)?.boughtAt ?? 0
  }

  /** Whether the row, or a facet of it, was kept before that moment. */
  isOlder(moment: number, facet?: string): boolean {
    const order = facet === undefined ? this.#newest?.order : this.#facets?.get(facet)?.order
    return order !== undefined && order <= moment
  }

  /** What a facet last was, however long ago. */
  stale(name: string): unknown {
    return this.#facets?.get(name)?.value
  }

  /** Whether a whole answer said lately that there is no such row. */
  isMissing(moment: Moment): boolean {
    return this.#missingUntil > timeOf(moment)
  }

  /** Every column known now, an older parcel's beneath a newer one's; without the rows that a joined operation nests in it. */
  columns(moment: Moment): Record<string, unknown> {
    const fresh = this.#parcels().filter((parcel) => this.#isUsable(parcel, moment))
    const columns: Record<string, unknown> = Object.assign(
      {},
      ...fresh.toReversed().map((parcel) => parcel.row),
    )
    for (const name of joined) if (typeof columns[name] === 'object') delete columns[name]
    return columns
  }

  /** Whether a parcel is fresh, or accepted though it has expired. */
  #isUsable(parcel: Parcel, moment: Moment): boolean {
    if (untilOf(parcel) > timeOf(moment)) return true
    if (typeof moment === 'number' || parcel.boughtAt <= moment.since) return false
    moment.onExpired(this, parcel.boughtAt)
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
    let bytes = parcelBytes + rowBytes
    const parcel = { row, supplies, boughtAt, freshness, order: this.#change(), bytes }
    // Most rows come once.
    if (this.#newest) {
      const older: Parcel[] = []
      for (const known of this.#parcels())
        if (covers(row, supplies, known)) bytes -= known.bytes
        else older.push(known)
      this.#older = older.length > 0 ? older : none
    }
    this.#newest = parcel
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
    const known = this.#parcels()
    const newer = known.filter((one) => one.boughtAt >= boughtAt)
    const older = {
      row,
      supplies,
      boughtAt,
      freshness,
      order: this.#change(),
      bytes: parcelBytes + rowBytes,
    }
    if (newer.some((one) => covers(one.row, one.supplies, older))) return
    const [, ...rest] = [...newer, older, ...known.filter((one) => one.boughtAt < boughtAt)]
    this.#older = rest
    this.#grow(older.bytes)
  }

  putFacet(name: string, value: unknown, freshness: Freshness, boughtAt: number): void {
    this.#setFacet(name, { value, freshness, boughtAt, order: this.#change() })
  }

  #change(): number {
    return (this.changedAt = kept += 1)
  }

  /** Makes a list of the keys that other facets hold, where each is known now; as old as the newest of them. */
  joinFacets(whole: string, names: readonly string[], moment: Moment): void {
    if (this.facet(whole, moment) !== undefined) return
    const now = timeOf(moment)
    const parts = names.flatMap((name) => this.#facets?.get(name) ?? [])
    if (parts.length < names.length || parts.some((part) => untilOf(part) <= now)) return
    const [first] = parts.toSorted((a, b) => untilOf(a) - untilOf(b))
    if (!first) return
    const value = parts.flatMap((part) => part.value ?? [])
    this.#setFacet(whole, { ...first, value, order: Math.max(...parts.map(({ order }) => order)) })
  }

  #setFacet(name: string, { value, freshness, boughtAt, order }: Omit<Facet, 'bytes'>): void {
    const bytes = facetBytes + name.length + itemBytes * (Array.isArray(value) ? value.length : 1)
    this.#facets ??= new Map()
    this.#grow(bytes - (this.#facets.get(name)?.bytes ?? 0))
    this.#facets.set(name, { value, freshness, boughtAt, order, bytes })
  }

  /** Drops the facets that had aged before a moment. */
  shed(moment: number): void {
    for (const [name, facet] of this.#facets ?? []) {
      if (untilOf(facet) > moment) continue
      this.#facets?.delete(name)
      this.#grow(-facet.bytes)
    }
  }

  /** Counts what was bought after a moment as bought then: the clock was ahead, and has been set back. */
  setBack(moment: number): void {
    this.game?.setBack(moment)
    this.#missingUntil = Math.min(this.#missingUntil, moment)
    this.#newest &&= notAfter(this.#newest, moment)
    this.#older = this.#older.map((parcel) => notAfter(parcel, moment))
    for (const [name, facet] of this.#facets ?? []) this.#facets?.set(name, notAfter(facet, moment))
    this.#change()
  }

  /** An entry that knows the same and goes its own way. */
  copy(): Entry {
    const copy = new Entry(this.key)
    copy.#bytes = this.#bytes
    copy.#newest = this.#newest
    copy.#older = this.#older
    copy.#facets = this.#facets && new Map(this.#facets)
    copy.#missingUntil = this.#missingUntil
    copy.changedAt = this.changedAt
    copy.game = this.game?.copy()
    return copy
  }

  putMissing(freshUntil: number): void {
    this.#change()
    this.#missingUntil = freshUntil
  }

  #parcels(): readonly Parcel[] {
    return this.#newest ? [this.#newest, ...this.#older] : none
  }
}

const notAfter = <P extends Parcel | Facet>(one: P, moment: number): P =>
  one.boughtAt > moment ? { ...one, boughtAt: moment } : one

/** When a parcel that is fresh now will have aged; infinite for one that is not. */
function ageAfter(parcel: Parcel, now: number): number {
  const until = untilOf(parcel)
  return until > now ? until : Number.POSITIVE_INFINITY
}

/** A column's value in one parcel; undefined where it has none, or has aged. */
function valueIn(parcel: Parcel, name: string, now: number): Value | undefined {
  const { row, supplies } = parcel
  if (untilOf(parcel) <= now && !lasting.has(name)) return undefined
  const value = row[name]
  // Rows come from JSON.parse, own no undefined, and the conversion of the graph judges what they hold.
  if (value !== undefined && Object.hasOwn(row, name)) return value as Value
  return supplies.has(name) ? null : undefined
}

function covers(row: RawRow, supplies: ReadonlySet<string>, older: Parcel): boolean {
  if (supplies !== older.supplies)
    for (const column of older.supplies) if (!supplies.has(column)) return false
  for (const column in older.row) if (!supplies.has(column) && !Object.hasOwn(row, column)) return false
  return true
}
