import type { CsvStanding } from './csv-standings.ts'
import type { CsvTables } from './csv-tables.ts'
import { contradictions, copiedGames, heightNote, openNotes, repeatedRows } from './shared-notes.ts'
import { excerpt } from './source-row.ts'
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
    heightNote(tables.players),
    ...openNotes(games),
    copiedGames(
      games.filter(({ status }) => status === 'final').map((game) => ({ ...game, id: game.game_id })),
    ),
    unknownStatus(games),
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

/** Games that count as final for their score alone. */
function unknownStatus(games: readonly CsvStanding[]): Note {
  const unknown = games.filter((game) => game.unknown !== '' && game.status === 'final')
  const words = new Set(unknown.map((game) => game.unknown))
  return {
    what: `games with a score and an unknown status: ${[...words].slice(0, 5).map(excerpt).join(', ')}`,
    count: unknown.length,
    why: 'read as final',
    warning: true,
  }
}
