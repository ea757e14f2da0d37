import type { CsvStanding } from './csv-standings.ts'
import type { CsvTables } from './csv-tables.ts'
import { contradictions, openNotes, repeatedRows } from './shared-notes.ts'
import type { Note } from './summary.ts'

/** Decisions and omissions of an import. */
export function csvNotes(
  tables: CsvTables,
  games: readonly CsvStanding[],
  believed: boolean,
): readonly Note[] {
  const known = new Set(games.map((game) => game.game_id))
  return [
    contradictions(games, believed),
    ...repeatedRows(tables.read),
    ...openNotes(games),
    {
      what: 'games without two boxscores',
      count: games.filter((game) => game.status === 'final' && game.sides < 2).length,
      why: 'they count for records, not for averages',
    },
    {
      what: 'boxscores and lines of games that are not in games',
      count: [...tables.boxes, ...tables.playerBoxes, ...tables.odds].filter((row) => !known.has(row.game_id))
        .length,
      why: 'left out',
    },
    {
      what: 'members without a conference',
      count: tables.teams.filter((team) => team.member && team.conference === '').length,
      why: 'no projections of conferences',
    },
  ]
}
