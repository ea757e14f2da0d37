import type { NcaaTables } from './basketball-tables.ts'
import type { Teams } from './basketball-teams.ts'
import type { ScoredGame } from './scored-game.ts'
import {
  contradictions,
  copiedGames,
  heightNote,
  openNotes,
  repeatedRows,
  suspectNotes,
} from './shared-notes.ts'
import type { Note } from './summary.ts'

/** Corrections, decisions and omissions of an import. */
export function ncaaNotes(
  tables: NcaaTables,
  games: readonly ScoredGame[],
  teams: Teams,
  believed: boolean,
): readonly Note[] {
  const outsiders = new Set(teams.outsiders())
  const abroad = games.filter(({ game }) => outsiders.has(game.home) || outsiders.has(game.away))
  const known = new Set(tables.schedule.map((game) => game.contest_id))
  const disputed = games.filter((game) => game.disputed).length
  return [
    ...suspectNotes(teams.suspects()),
    contradictions(games, believed),
    {
      what: `spellings of teams: ${[...teams.respelled].map(([from, to]) => `${from} = ${to}`).join(', ')}`,
      count: teams.respelled.size,
      why: 'read as the division’s list has them',
    },
    {
      what: 'games with home and away score swapped in the schedule',
      count: games.filter((game) => game.swapped).length,
      why: 'put right from the boxscore',
    },
    {
      what: 'games at 0–0 in the schedule that have boxscores',
      count: games.filter((game) => game.unscored).length,
      why: 'scored as the boxscores are',
    },
    {
      what: 'games whose boxscore and schedule differ otherwise',
      count: disputed,
      why: 'the game has the schedule’s score, the boxscore its own points',
    },
    {
      what: 'games with a team from outside the division',
      count: abroad.length,
      why: 'kept with both boxscores; that team has no conference, rating or statistics',
    },
    {
      what: 'teams from outside the division',
      count: outsiders.size,
      why: 'kept as teams without membership, colours or roster',
    },
    {
      what: 'games without two boxscores',
      count: games.filter((game) => game.status === 'final' && game.sides.length < 2).length,
      why: 'kept with the schedule’s score; they count for records, not for averages',
    },
    ...openNotes(games),
    copiedGames(
      games.map(({ game: { contest_id: id, day, home, away }, home_score, away_score }) => ({
        id,
        day,
        home,
        away,
        home_score,
        away_score,
      })),
    ),
    {
      what: 'boxscores of games that the schedule does not have',
      count: tables.boxes.filter((box) => !known.has(box.contest_id)).length,
      why: 'left out',
    },
    {
      what: 'players of teams that the division’s list does not have',
      count: tables.players.filter((player) => teams.idOfNcaa(player.team_id) === null).length,
      why: 'left out',
    },
    ...repeatedRows(tables.read),
    heightNote(tables.players),
    {
      what: 'teams of the division without colours',
      count: teams.colourless().length,
      why: 'hoopr-teams does not know them: a neutral grey',
    },
    {
      what: 'teams of the division without a conference',
      count: teams.conferenceNames().filter((name) => name === '').length,
      why: 'the source names none: no projections of conferences',
    },
    {
      what: 'boxscores without steals and fouls',
      count: tables.boxes.length,
      why: 'the source counts neither: null',
    },
    {
      what: 'games without start time, site, attendance and network',
      count: games.length,
      why: 'the source has the day alone: null',
    },
    {
      what: 'players without boxscores',
      count: tables.players.length,
      why: 'the source has none: statistics are the games played, the rest null',
    },
  ]
}
