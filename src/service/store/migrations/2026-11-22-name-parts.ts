import type { Kysely, Migration } from 'kysely'
import type { Dialect } from '../connection.ts'
import { fillNameParts } from '../name-parts.ts'
import type { Schema } from '../schema.ts'
import { createTable } from './definition.ts'

/** The tables with names at that time. */
const named = ['team', 'player', 'coach'] as const

/** Makes stored names searchable by their parts. */
export const nameParts = (dialect: Dialect): Migration => ({
  async up(db) {
    await createTable(db, dialect, 'name_part', {
      columns: 'kind text, part text, id text',
      key: ['kind', 'part', 'id'],
    })
    // The earlier migrations have created the tables used here.
    await fillNameParts(db as unknown as Kysely<Schema>, named)
  },
})
