import { tables } from '../../src/specification/tables.ts'
import type { Row, TableName } from '../../src/specification/tables.ts'

/** A row of the specification: every column null but those that a test names. */
function rowOf<T extends TableName>(table: T, columns: Partial<Row<T>>): Row<T> {
  const blank = Object.fromEntries(Object.keys(tables[table]).map((name) => [name, null]))
  return { ...blank, ...columns } as Row<T> // every column of the table
}

export const game = (columns: Partial<Row<'game'>> = {}): Row<'game'> =>
  rowOf('game', {
    game_id: 'g',
    home_team_id: 'a',
    away_team_id: 'b',
    status: 'final',
    start_date: '2026-02-14T00:00:00.000Z',
    neutral_site: 0,
    deleted: 0,
    ...columns,
  })

export const odds = (columns: Partial<Row<'odds'>> = {}): Row<'odds'> =>
  rowOf('odds', { odds_id: 'o', game_id: 'g', live: 0, current: 1, deleted: 0, ...columns })

export const prediction = (columns: Partial<Row<'prediction'>> = {}): Row<'prediction'> =>
  rowOf('prediction', { prediction_id: 'p', game_id: 'g', ...columns })
