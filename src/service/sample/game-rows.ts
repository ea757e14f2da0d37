import type { Row } from '../../specification/tables.ts'
import type { Boxscore, PlayerBoxscore } from '../league/facts.ts'
import { midnight, timestampOf } from './calendar.ts'
import { sampleId } from './ids.ts'
import type { SampleGame } from './league.ts'
import { playerLine, teamLine } from './boxscore-lines.ts'
import type { SamplePlayer } from './players.ts'
import { scoreOf, tallyOf } from './tally.ts'
import type { Counts, Tally } from './tally.ts'
import { SCHEDULED, scoreboardAt, sides } from './timeline.ts'
import type { Side, Timeline } from './timeline.ts'

/** A game at one moment: its row and its boxscores so far. */
export interface GameState {
  readonly row: Row<'game'>
  readonly boxscores: readonly Boxscore[]
  readonly playerBoxscores: readonly PlayerBoxscore[]
}

type Changing =
  | 'away_score'
  | 'home_score'
  | 'status'
  | 'current_period'
  | 'clock'
  | 'clock_last_updated_at'
  | 'updated_at'
  | 'attendance'
  | 'boxscore'

/** The columns of a game's row that its progress changes. */
export type Progress = Pick<Row<'game'>, Changing>

/** The row of a game that has not begun: no score, no clock. */
export function scheduledRow(game: SampleGame): Row<'game'> {
  return { ...settledColumns(game), ...notBegun(game) }
}

/** A game at `now`, in milliseconds since 1970: a pure function of the game and the time. */
export function stateAt(game: SampleGame, timeline: Timeline, now: number): GameState {
  const elapsed = (now - game.fixture.start) / 1_000
  if (elapsed < 0) return { row: scheduledRow(game), boxscores: [], playerBoxscores: [] }
  const tally = tallyOf(timeline, elapsed)
  const final = elapsed >= timeline.duration ? 1 : 0
  const parts = sides.map((side) => sideRows(game, side, tally, final))
  return {
    row: { ...settledColumns(game), ...progressAt(game, timeline, tally, elapsed) },
    boxscores: parts.map(({ boxscore }) => boxscore),
    playerBoxscores: parts.flatMap(({ players }) => players),
  }
}

/** When a game ends, in milliseconds since 1970. */
export const endOf = (game: SampleGame, timeline: Timeline): number =>
  game.fixture.start + timeline.duration * 1_000

function settledColumns({ id, competition, season, fixture, network, teams }: SampleGame) {
  return {
    game_id: id,
    organization_id: competition.organizationId,
    division_id: competition.divisionId,
    season,
    away_team_id: teams.away.team_id,
    home_team_id: teams.home.team_id,
    network,
    start_date: timestampOf(midnight(fixture.day)),
    start_datetime: timestampOf(fixture.start),
    start_timestamp: fixture.start / 1_000,
    neutral_site: fixture.neutral ? 1 : 0,
    is_conf_game: fixture.conference ? 1 : 0,
    guid: id,
    deleted: 0,
  }
}

const notBegun = ({ fixture }: SampleGame): Progress => ({
  away_score: null,
  home_score: null,
  ...SCHEDULED,
  clock_last_updated_at: null,
  updated_at: timestampOf(midnight(fixture.day - 120)),
  attendance: null,
  boxscore: 0,
})

function progressAt(game: SampleGame, timeline: Timeline, tally: Tally, elapsed: number): Progress {
  const seconds = Math.floor(Math.min(elapsed, timeline.duration))
  const moment = timestampOf(game.fixture.start + seconds * 1_000)
  return {
    away_score: scoreOf(tally, 'away'),
    home_score: scoreOf(tally, 'home'),
    ...scoreboardAt(timeline, elapsed),
    clock_last_updated_at: moment,
    updated_at: moment,
    attendance: game.attendance,
    boxscore: 1,
  }
}

function sideRows(game: SampleGame, side: Side, tally: Tally, final: 0 | 1) {
  const { team, players } = tally[side]
  const { roster } = game.teams[side]
  return {
    boxscore: teamBoxscore(game, side, team, final),
    players: roster.flatMap((player, at) => {
      const counts = players.get(at)
      return counts ? [playerBoxscore(game, side, player, counts, final)] : []
    }),
  }
}

const common = (game: SampleGame, side: Side, final: 0 | 1) => ({
  organization_id: game.competition.organizationId,
  division_id: game.competition.divisionId,
  game_id: game.id,
  team_id: game.teams[side].team_id,
  season: game.season,
  final,
  deleted: 0,
})

function teamBoxscore(game: SampleGame, side: Side, counts: Counts, final: 0 | 1): Boxscore {
  return {
    boxscore_id: sampleId('boxscore', `${game.key}/${side}`, game.seed),
    ...common(game, side, final),
    sport_boxscore_id: sampleId('sport_boxscore', `${game.key}/${side}`, game.seed),
    line: teamLine(game.competition.sport, counts),
  }
}

function playerBoxscore(
  game: SampleGame,
  side: Side,
  { ordinal, row }: SamplePlayer,
  counts: Counts,
  final: 0 | 1,
): PlayerBoxscore {
  const key = `${game.key}/${ordinal}`
  return {
    player_boxscore_id: sampleId('player_boxscore', key, game.seed),
    ...common(game, side, final),
    player_id: row.player_id,
    sport_player_boxscore_id: sampleId('sport_player_boxscore', key, game.seed),
    first_name: row.first_name,
    last_name: row.last_name,
    position: row.position,
    line: playerLine(game.competition.sport, counts),
  }
}
