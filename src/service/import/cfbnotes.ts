import { isPerson } from './cfbplayers.ts'
import type { CfbTables, CfbTeam } from './cfbtables.ts'
import type { Looks } from './colours.ts'
import type { Note } from './summary.ts'

/** What of the source was mended, decided or left out. */
export function cfbNotes(
  tables: CfbTables,
  teams: readonly CfbTeam[],
  boxed: ReadonlyMap<string, number>,
  looks: Looks,
): readonly Note[] {
  return [
    {
      what: 'betting lines that no bookmaker offered',
      count: tables.lines.filter((line) => line.filler).length,
      why: 'fillers of the source: left out',
    },
    {
      what: 'betting lines without money lines',
      count: tables.lines.filter((line) => !line.filler).length,
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
      what: 'games without two boxscores',
      count: tables.schedule.filter((game) => boxed.get(game.game_id) !== 2).length,
      why: 'they count for records, not for averages',
    },
    {
      what: 'games that are not final',
      count: tables.schedule.filter((game) => !game.final).length,
      why: 'kept as scheduled',
    },
    {
      what: 'games with an attendance of 0',
      count: tables.schedule.filter((game) => game.attendance === null).length,
      why: 'nobody counted: null',
    },
    {
      what: 'teams without a conference',
      count: teams.length,
      why: 'the source has none; conference games count as such all the same',
    },
    {
      what: 'teams without colours',
      count: teams.filter((team) => !looks.byTeam.has(team.id)).length,
      why: 'hoopr-teams does not know them: a neutral grey',
    },
  ]
}
