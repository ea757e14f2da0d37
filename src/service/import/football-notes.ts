import { isOffered } from './football-game.ts'
import type { StandingGame } from './football-game.ts'
import { isPerson } from './football-players.ts'
import type { CfbTables, CfbTeam } from './football-tables.ts'
import type { Looks } from './colours.ts'
import { copiedGames, openNotes, repeatedRows } from './shared-notes.ts'
import type { Note } from './summary.ts'

/** Corrections, decisions and omissions of an import. */
export function cfbNotes(
  tables: CfbTables,
  teams: readonly CfbTeam[],
  games: readonly StandingGame[],
  looks: Looks,
): readonly Note[] {
  const final = games.filter((game) => game.status === 'final')
  const unknown = [...tables.unknown]
  return [
    {
      what: 'betting lines that no bookmaker offered',
      count: tables.lines.filter((line) => !isOffered(line)).length,
      why: 'fillers of the source: left out',
    },
    {
      what: 'betting lines without money lines',
      count: tables.lines.filter(isOffered).length,
      why: 'the source has spread and total alone: null',
    },
    {
      what: 'player entries of a team as such',
      count: tables.athletes.filter((athlete) => !isPerson(athlete)).length,
      why: 'counted in the team’s boxscore, no player of their own',
    },
    {
      what: 'passing rows with numbered columns',
      count: tables.numbered,
      why: 'read as completions/attempts, yards, yards per attempt, touchdowns, interceptions',
    },
    {
      what: `player rows of unknown categories: ${unknown.map(([category]) => category).join(', ')}`,
      count: unknown.reduce((sum, [, count]) => sum + count, 0),
      why: 'left out',
    },
    ...repeatedRows(tables.read),
    {
      what: 'games without two boxscores',
      count: final.filter((game) => game.sides !== 2).length,
      why: 'they count for records, not for averages',
    },
    ...openNotes(games),
    copiedGames(
      final.map(({ game_id: id, home, away, ...game }) => ({
        ...game,
        id,
        home: home.name,
        away: away.name,
      })),
    ),
    {
      what: 'games with an attendance of 0',
      count: games.filter((game) => game.attendance === null).length,
      why: 'nobody counted: null',
    },
    {
      what: 'teams without a conference',
      count: teams.filter((team) => !tables.conferences?.get(team.id)).length,
      why: 'the source has none: conferences.csv (team_id,conference) beside the schedule names them, else conferences have no projections',
    },
    {
      what: 'teams without colours',
      count: teams.filter((team) => !looks.byTeam.has(team.id)).length,
      why: 'hoopr-teams does not know them: a neutral grey',
    },
  ]
}
