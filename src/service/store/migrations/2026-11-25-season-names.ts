import type { Migration } from 'kysely'
import type { Dialect } from '../connection.ts'
import { createTable } from './definition.ts'

/** Keeps what each season calls its teams and people. Seasons that were stored before have nothing there. */
export const seasonNames = (dialect: Dialect): Migration => ({
  async up(db) {
    await createTable(db, dialect, 'season_name', {
      columns: 'kind text, id text, season bigint, organization_id text, division_id text, facts text',
      key: ['kind', 'id', 'season', 'organization_id', 'division_id'],
    })
  },
})
