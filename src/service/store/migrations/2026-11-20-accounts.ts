import type { Migration } from 'kysely'
import type { Dialect } from '../connection.ts'
import { createTable } from './definition.ts'

export const accounts = (dialect: Dialect): Migration => ({
  async up(db) {
    await createTable(db, dialect, 'api_key', {
      columns: `api_key_id text, hash text, plan text, name text, sample integer, created_at text,
        revoked_at text`,
      key: ['api_key_id'],
    })
    await createTable(db, dialect, 'usage', {
      columns: 'api_key_id text, month text, tokens bigint, bytes bigint, calls bigint',
      key: ['api_key_id', 'month'],
    })
    await db.schema.createIndex('api_key_by_hash').on('api_key').column('hash').unique().execute()
  },
})
