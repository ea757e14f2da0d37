import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { partsOf } from './names.ts'
import { namedTables } from './schema.ts'
import type { NamePart } from './own-tables.ts'
import type { NamedTable, Schema } from './schema.ts'

type Db = Kysely<Schema>

interface Named {
  readonly id: string
  readonly folded: string
}

const PARTS_A_STATEMENT = 3_000

/** Makes a table's rows searchable by parts of their names. Known parts stay. */
export async function insertNameParts(db: Db, kind: NamedTable, rows: Iterable<Named>): Promise<void> {
  let parts: NamePart[] = []
  const flush = async () => {
    if (parts.length > 0)
      await db
        .insertInto('name_part')
        .values(parts)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    parts = []
  }
  for (const { id, folded } of rows) {
    for (const part of partsOf(folded)) parts.push({ kind, part, id })
    if (parts.length >= PARTS_A_STATEMENT) await flush()
  }
  await flush()
}

const NAMES_A_STATEMENT = 500

/** Removes the name parts of rows that are about to be renamed. */
export async function forgetNameParts(db: Db, kind: NamedTable, rows: readonly Named[]): Promise<void> {
  for (let next = 0; next < rows.length; next += NAMES_A_STATEMENT) {
    const some = new Map(rows.slice(next, next + NAMES_A_STATEMENT).map(({ id, folded }) => [id, folded]))
    const key = sql.ref(`${kind}_id`)
    const stored = await sql<Named>`select ${key} as id, folded from ${sql.table(kind)}
      where ${key} in (${sql.join([...some.keys()])})`.execute(db)
    for (const { id, folded } of stored.rows.filter((row) => row.folded !== some.get(row.id)))
      await db
        .deleteFrom('name_part')
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('part', 'in', [...partsOf(folded)])
        .execute()
  }
}

/** Removes unused name parts. */
export async function clearNameParts(db: Db): Promise<void> {
  for (const kind of namedTables) {
    const someone = sql`select 1 from ${sql.table(kind)} as named where named.${sql.ref(`${kind}_id`)} = name_part.id`
    await sql`delete from name_part where kind = ${kind} and not exists (${someone})`.execute(db)
  }
}

/** Stores the parts of all stored names. */
export async function fillNameParts(db: Db, kinds: readonly NamedTable[] = namedTables): Promise<void> {
  for (const kind of kinds) {
    const rows =
      await sql<Named>`select ${sql.ref(`${kind}_id`)} as id, folded from ${sql.table(kind)}`.execute(db)
    await insertNameParts(db, kind, rows.rows)
  }
}
