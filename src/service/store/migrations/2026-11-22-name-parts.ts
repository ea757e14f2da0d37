import type { Kysely, Migration } from 'kysely'
import type { Dialect } from '../connection.ts'
import { fillNameParts } from '../name-parts.ts'
import type { Schema } from '../schema.ts'
import { createTable } from './definition.ts'

/** The tables that had names then. */
const named = ['team', 'player', 'coach'] as const

/** Names that are stored already can be searched by their parts. */
export const nameParts = (dialect: Dialect): Migration => ({
  async up(db) {
    await createTable(db, dialect, 'name_part', {
      columns: 'kind text, part text, id text',
      key: ['kind', 'part', 'id'],
    })
    // The migrations before this one have made the tables that it looks at.
    await fillNameParts(db as unknown as Kysely<Schema>, named)
  },
})
