import { sql } from 'kysely'
import type { Migration } from 'kysely'
import type { Dialect } from '../connection.ts'
import { createTable } from './definition.ts'

const classes = [
  'player_statistic_ranking',
  'coach_statistic_ranking',
  'conference_statistic_ranking',
  'league_statistic_ranking',
  'conference_player_statistic_ranking',
  'league_player_statistic_ranking',
]

/** Days that already have rows count as ranked. */
export const rankedDays = (dialect: Dialect): Migration => ({
  async up(db) {
    await createTable(db, dialect, 'ranked_day', {
      columns: 'class text, organization_id text, division_id text, season bigint, day text',
      key: ['class', 'organization_id', 'division_id', 'season', 'day'],
    })
    for (const table of classes)
      await sql`insert into ranked_day
        select distinct ${sql.lit(table)}, organization_id, division_id, season, substr(date_of_rank, 1, 10)
        from ${sql.table(table)} where season is not null`.execute(db)
  },
})
