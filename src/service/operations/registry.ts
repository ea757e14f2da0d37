import { Refusal } from '../refusal.ts'
import { boxscore, player_boxscore } from './boxscore.ts'
import { conference } from './conference.ts'
import { game } from './game.ts'
import type { Operation, OperationClass } from './operation.ts'
import { player } from './player.ts'
import { ranking } from './ranking.ts'
import { searching } from './search.ts'
import { statistics } from './statistics.ts'
import { openTable, table } from './table.ts'
import { team } from './team.ts'

/** Every operation of the service by class and function (specification §4). */
export const classes: Readonly<Record<string, OperationClass>> = {
  search: searching,
  organization: openTable('organization'),
  division: openTable('division'),
  team,
  game,
  player,
  player_team_season: table('player_team_season'),
  coach: table('coach'),
  conference,
  prediction: table('prediction'),
  odds: table('odds'),
  elo: table('elo'),
  cbb_transfer_player_season: table('cbb_transfer_player_season'),
  boxscore,
  player_boxscore,
  statistic_ranking: statistics('statistic_ranking'),
  player_statistic_ranking: statistics('player_statistic_ranking'),
  coach_statistic_ranking: statistics('coach_statistic_ranking'),
  conference_statistic_ranking: statistics('conference_statistic_ranking'),
  league_statistic_ranking: statistics('league_statistic_ranking'),
  conference_player_statistic_ranking: statistics('conference_player_statistic_ranking'),
  league_player_statistic_ranking: statistics('league_player_statistic_ranking'),
  ranking,
}

export function operationOf(className: string, functionName: string): Operation {
  const found = Object.hasOwn(classes, className) ? classes[className] : undefined
  if (!found) throw new Refusal('unknown_operation', 'Unknown class.')
  const operation = Object.hasOwn(found, functionName) ? found[functionName] : undefined
  if (!operation) throw new Refusal('unknown_operation', `Unknown function of class ${className}.`)
  return operation
}
