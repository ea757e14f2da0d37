import { linesOf, predictionsOf, teamsOfGames, withTeams } from './joins.ts'
import { gamesTemplate, oddsTemplate, scoresTemplate } from './game-text.ts'
import { keyedText } from './json.ts'
import type { Accepted, Arguments, Context, Operation, OperationClass } from './operation.ts'
import { columnsOf, selectRows } from './selection.ts'
import type { Found } from './selection.ts'
import { standing } from './standing.ts'
import { table } from './table.ts'

const gamesOf = (context: Context, given: Arguments) => selectRows(context, 'game', standing(given))

const idOf = (game: Found) => String(game['game_id'])

const keyed = (games: readonly Found[], entry: (game: Found) => object) =>
  keyedText(games.map((game) => [idOf(game), JSON.stringify(entry(game))]))

const getGames: Operation = {
  accepts: columnsOf('game'),
  requires: ['organization_id', 'division_id', 'start_date'],
  written: (given) => ({ template: gamesTemplate, filters: standing(given) }),
  async answer(context, given) {
    const games = await gamesOf(context, given)
    const teams = await teamsOfGames(context, games, true)
    return keyedText(games.map((game) => [idOf(game), withTeams(game, teams(game))]))
  },
}

const scoreFilters: Accepted = {
  organization_id: 'key',
  division_id: 'key',
  start_date: 'day',
  season: 'integer',
  home_team_id: 'key',
  away_team_id: 'key',
}

const score = ({ game_id, away_score, home_score, clock, current_period, status }: Found) => ({
  game_id,
  away_score,
  home_score,
  clock,
  current_period,
  status,
})

const getScores: Operation = {
  accepts: scoreFilters,
  requires: [
    'organization_id',
    'division_id',
    [['start_date'], ['season', 'home_team_id'], ['season', 'away_team_id']],
  ],
  written: (given) => ({ template: scoresTemplate, filters: standing(given) }),
  async answer(context, given) {
    const games = await gamesOf(context, given)
    const predictions = await predictionsOf(context.db, games.map(idOf))
    const lines = await linesOf(context.db, games.map(idOf))
    return keyed(games, (game) => ({
      ...score(game),
      prediction: predictions.get(idOf(game)) ?? null,
      odds: lines(idOf(game)),
    }))
  },
}

const getOdds: Operation = {
  accepts: { ...scoreFilters, game_id: 'key' },
  requires: [
    [
      ['game_id'],
      ['organization_id', 'division_id', 'start_date'],
      ['organization_id', 'division_id', 'season', 'home_team_id'],
      ['organization_id', 'division_id', 'season', 'away_team_id'],
    ],
  ],
  written: (given) => ({ template: oddsTemplate, filters: standing(given) }),
  async answer(context, given) {
    const games = await gamesOf(context, given)
    const lines = await linesOf(context.db, games.map(idOf))
    return keyed(games, (game) => ({ game_id: idOf(game), odds: lines(idOf(game)) }))
  },
}

export const game: OperationClass = { ...table('game'), getGames, getScores, getOdds }
