import type { Row } from '../../specification/tables.ts'
import type { Chronicle } from '../numbers/chronicle.ts'
import type { EloChange } from '../numbers/elo.ts'
import type { Forecast } from '../numbers/predictions.ts'
import type { LeagueKey } from './league-key.ts'
import { endOf, startOf } from './fixtures.ts'
import { identify } from './identity.ts'

type Game = Row<'game'>

export interface RatingRows {
  /** In the order of the games. The last of each team is current. */
  readonly elo: readonly Row<'elo'>[]
  /** One for each game, dated by the last earlier game that counts in either team’s rating. */
  readonly predictions: readonly Row<'prediction'>[]
}

/** The rows of a season’s chronicle. `games` are the season’s, by time. */
export function ratingRows(league: LeagueKey, games: readonly Game[], story: Chronicle): RatingRows {
  const changes = new Map(story.changes.map((change) => [change.game.game_id, change]))
  const beginning = games[0] ? beginningOf(games[0]) : ''
  const rated = new Map<string, Rated[]>()
  const elo: Row<'elo'>[] = []
  const predictions: Row<'prediction'>[] = []
  const played = games.filter((game) => changes.has(game.game_id ?? ''))
  const unplayed = games.filter((game) => !changes.has(game.game_id ?? ''))
  for (const game of [...played, ...unplayed]) {
    const forecast = story.forecasts.get(game.game_id ?? '')
    if (forecast) predictions.push(predictionRow(game, forecast, knownAt(rated, game, beginning)))
    const change = changes.get(game.game_id ?? '')
    for (const row of change ? eloRows(league, game, change) : []) {
      elo.push(row)
      const team = rated.get(row.team_id ?? '') ?? []
      rated.set(row.team_id ?? '', team)
      team.push({ day: dayOf(game), row })
    }
  }
  for (const rows of rated.values()) for (const { row } of rows.slice(-1)) row.current = 1
  return { elo, predictions }
}

/** Midnight of the season’s first day, or before it the start of its first game. */
function beginningOf(first: Game): string {
  const [day, start] = [first.start_date ?? '', startOf(first)]
  return start < day ? start : day
}

/** The rows of a rated game: two, or one if the opponent comes from outside the division. */
function eloRows(league: LeagueKey, game: Game, change: EloChange): Row<'elo'>[] {
  const sides = [
    [game.home_team_id, change.home_after],
    [game.away_team_id, change.away_after],
  ] as const
  return sides.flatMap(([team, rating]) => (rating === null ? [] : [eloRow(league, game, team, rating)]))
}

function eloRow(league: LeagueKey, game: Game, team_id: string | null, elo: number): Row<'elo'> {
  return {
    elo_id: identify('elo', game.game_id ?? '', team_id ?? ''),
    organization_id: league.organization_id,
    division_id: league.division_id,
    team_id,
    game_id: game.game_id,
    season: game.season,
    elo,
    current: 0,
    date_of_entry: endOf(game),
    updated_at: endOf(game),
    deleted: 0,
  }
}

function predictionRow(game: Game, forecast: Forecast, date_of_entry: string): Row<'prediction'> {
  return {
    prediction_id: identify('prediction', game.game_id ?? '', date_of_entry),
    game_id: game.game_id,
    season: game.season,
    ...forecast,
    live: 0,
    current: 1,
    date_of_entry,
    guid: null,
    deleted: 0,
  }
}

/** A rating, and the day of its last game. */
interface Rated {
  readonly day: string
  readonly row: Row<'elo'>
}

const dayOf = (game: Game) => (game.start_date ?? '').slice(0, 10)

function knownAt(rated: ReadonlyMap<string, readonly Rated[]>, game: Game, beginning: string): string {
  const day = dayOf(game)
  const moments = [game.home_team_id, game.away_team_id].map(
    (team) => rated.get(team ?? '')?.findLast((each) => each.day < day)?.row.date_of_entry ?? beginning,
  )
  return moments.reduce((last, moment) => (moment > last ? moment : last), beginning)
}
