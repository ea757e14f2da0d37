import { isStatisticClass, tableNames } from '../../specification/tables.ts'
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

/** The operations that every table has. */
const usual = Object.fromEntries(
  tableNames.map((name) => [name, isStatisticClass(name) ? statistics(name) : table(name)]),
)

/** Every operation of the service by class and function (specification §4). */
export const classes: Readonly<Record<string, OperationClass>> = {
  ...usual,
  search: searching,
  organization: openTable('organization'),
  division: openTable('division'),
  team,
  game,
  player,
  conference,
  boxscore,
  player_boxscore,
  ranking,
}

export function operationOf(className: string, functionName: string): Operation {
  const found = Object.hasOwn(classes, className) ? classes[className] : undefined
  if (!found) throw new Refusal('unknown_operation', 'Unknown class.')
  const operation = Object.hasOwn(found, functionName) ? found[functionName] : undefined
  if (!operation) throw new Refusal('unknown_operation', `Unknown function of class ${className}.`)
  return operation
}
