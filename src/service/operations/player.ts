import { inChunks, teamsOfGames, withTeams } from './joins.ts'
import { keyedText, nothing, rowTexts, rowsText, spliced } from './json.ts'
import type { JsonSql } from '../store/json-sql.ts'
import type { Context, Operation, OperationClass } from './operation.ts'
import { selectRows } from './selection.ts'
import type { Found } from './selection.ts'
import { standing } from './standing.ts'
import { table } from './table.ts'
import { FOUND, open, rowEntry, rowsTemplate } from './template.ts'
import { gameWithTeams } from './game-text.ts'

/** A boxscore with its game. */
const logEntry = (json: JsonSql) => `${open(rowEntry('player_boxscore')(json))} || ',"game":' || coalesce(
  (select ${gameWithTeams(json, 'game', false)} from game where game.game_id = ${FOUND}.game_id), 'null') || '}'`

const logsTemplate = rowsTemplate('player_boxscore', logEntry)

const getGameLogs: Operation = {
  accepts: { organization_id: 'key', division_id: 'key', player_id: 'key', season: 'integer' },
  requires: ['organization_id', 'division_id', 'player_id', 'season'],
  written: (given) => ({ template: logsTemplate, filters: standing(given) }),
  async answer(context, given) {
    const rows = await selectRows(context, 'player_boxscore', standing(given))
    const texts = await rowTexts(context, 'player_boxscore', rows)
    const games = await gamesById(context, rows)
    return keyedText(
      rows.map((row, nth) => {
        const game = games.get(String(row['game_id'])) ?? 'null'
        return [String(row['player_boxscore_id']), spliced(texts[nth] ?? nothing, `{"game":${game}}`)]
      }),
    )
  },
}

/**
 * The game of each boxscore, with its teams without their conferences (specification §2, player boxscore).
 */
async function gamesById(context: Context, boxscores: readonly Found[]): Promise<Map<string, string>> {
  const games = await inChunks(
    boxscores.map((boxscore) => String(boxscore['game_id'])),
    (chunk) => selectRows(context, 'game', new Map([['game_id', chunk]])),
  )
  const teams = await teamsOfGames(context, games, false)
  return new Map(games.map((game) => [String(game['game_id']), withTeams(game, teams(game))]))
}

const seasonsTemplate = rowsTemplate('player_team_season')

const getSeasons: Operation = {
  accepts: { player_id: 'key' },
  requires: ['player_id'],
  written: (given) => ({ template: seasonsTemplate, filters: standing(given) }),
  answer: async (context, given) =>
    rowsText(context, 'player_team_season', await selectRows(context, 'player_team_season', standing(given))),
}

export const player: OperationClass = { ...table('player'), getGameLogs, getSeasons }
