import { playerColumnsNotInRoster } from '../../specification/tables.ts'
import { keyedText, rowText } from './json.ts'
import type { Arguments, Operation, OperationClass } from './operation.ts'
import { isIn, selectLatest } from './selection.ts'
import { specifiedColumns } from '../store/schema.ts'
import type { Schema } from '../store/schema.ts'
import { table } from './table.ts'

const getStats: Operation = {
  accepts: { organization_id: 'key', division_id: 'key', team_id: 'key', season: 'integer' },
  requires: ['organization_id', 'division_id', 'team_id', 'season'],
  async answer(context, given) {
    const current: Arguments = new Map([...given, ['current', [1]]])
    return rowText(context, 'statistic_ranking', await selectLatest(context, 'statistic_ranking', current))
  },
}

const rosterColumns = specifiedColumns('player')
  .map(([name]) => name as keyof Schema['player']) // exactly its columns
  .filter((name) => !playerColumnsNotInRoster.some((left) => left === name))

const getPlayers: Operation = {
  accepts: { organization_id: 'key', team_id: 'key', season: 'integer' },
  requires: ['organization_id', 'team_id', 'season'],
  async answer({ db }, given) {
    const players = await db
      .selectFrom('player')
      .select(rosterColumns)
      .where('deleted', '=', 0)
      .where('player_id', 'in', (on) =>
        on
          .selectFrom('player_team_season as played')
          .innerJoin('membership as member', (join) =>
            join.onRef('member.team_id', '=', 'played.team_id').onRef('member.season', '=', 'played.season'),
          )
          .select('played.player_id')
          .where('played.deleted', '=', 0)
          .where(isIn('played.team_id', given.get('team_id') ?? []))
          .where(isIn('played.season', given.get('season') ?? []))
          .where(isIn('member.organization_id', given.get('organization_id') ?? [])),
      )
      .orderBy('last_name')
      .orderBy('first_name')
      .orderBy('player_id')
      .execute()
    return keyedText(players.map((player) => [String(player.player_id), JSON.stringify(player)]))
  },
}

export const team: OperationClass = { ...table('team'), getStats, getPlayers }
