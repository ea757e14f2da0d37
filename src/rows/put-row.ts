import type { TableName } from '../specification/tables.ts'
import type { Freshness } from './freshness.ts'
import type { Entry } from './entry.ts'
import { idIn, ids, withTextKeys } from './keys.ts'
import type { Purchase } from './purchase.ts'
import { freshnessOf } from './row-age.ts'
import type { RawRow } from '../specification/raw-row.ts'

/**
 * Stores one row without its nested rows. `keyedBy` is the column with its key, if that is not its id. Returns its
 * entry; null if the row has no key.
 */
export function putRow(
  purchase: Purchase,
  table: TableName,
  given: RawRow,
  supplies: ReadonlySet<string>,
  keyedBy = ids[table],
): Entry | null {
  const key = idIn(given[keyedBy]) ?? idIn(given[ids[table]])
  if (key === null) return null
  const row = withTextKeys(table, given)
  const entry = purchase.cache.rows.entry(table, key)
  const freshness = freshnessOf(purchase, table, row, entry)
  purchase.cache.puts?.push([freshness, purchase.boughtAt])
  putIn(entry, row, supplies, freshness, purchase)
  if (table === 'player_boxscore') putName(purchase, row)
  return entry
}

/** Stores a row in its entry: as the newest version, unless a later one is known. */
function putIn(
  entry: Entry,
  row: RawRow,
  supplies: ReadonlySet<string>,
  freshness: Freshness,
  { cache, boughtAt, rowBytes }: Omit<Purchase, 'arguments'>,
): void {
  if (cache.isRestoring && entry.boughtAt > boughtAt)
    entry.putOlder(row, supplies, freshness, boughtAt, rowBytes)
  else entry.put(row, supplies, freshness, boughtAt, rowBytes)
}

const named = new Set(['player_id', 'first_name', 'last_name'])

/** Bytes of a row with only a name. */
const nameBytes = 200

/** A boxscore contains its player's name, which is stored as a version of the player's row. */
function putName({ cache, boughtAt }: Purchase, { player_id, first_name, last_name }: RawRow): void {
  const key = idIn(player_id)
  if (key === null || first_name === undefined || last_name === undefined) return
  const row = { player_id: key, first_name, last_name }
  const { rows, fresh } = cache
  putIn(rows.entry('player', key), row, named, fresh.reference, { cache, boughtAt, rowBytes: nameBytes })
}
