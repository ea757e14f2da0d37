import { playerColumnsNotInRoster } from '../../specification/tables.ts'
import { keyedText, rowText } from './json.ts'
import type { Arguments, Operation, OperationClass, Template } from './operation.ts'
import { isIn, selectLatest } from './selection.ts'
import { specifiedColumns } from '../store/schema.ts'
import type { Schema } from '../store/schema.ts'
import { table } from './table.ts'
import { FOUND, keyedList, rowTemplate } from './template.ts'

const statsTemplate = rowTemplate('statistic_ranking', 'latest')

const getStats: Operation = {
  accepts: { organization_id: 'key', division_id: 'key', team_id: 'key', season: 'integer' },
  requires: ['organization_id', 'division_id', 'team_id', 'season'],
  written: (given) => ({ template: statsTemplate, filters: current(given) }),
  answer: async (context, given) =>
    rowText(context, 'statistic_ranking', await selectLatest(context, 'statistic_ranking', current(given))),
}

const current = (given: Arguments): Arguments => new Map([...given, ['current', [1]]])

const rosterKinds = specifiedColumns('player').filter(
  ([name]) => !playerColumnsNotInRoster.some((left) => left === name),
)

const rosterColumns = rosterKinds.map(([name]) => name as keyof Schema['player']) // exactly its columns

const playersTemplate: Template = {
  kinds: { organization_id: 'key', team_id: 'key', season: 'integer' },
  column: (name) => (name === 'organization_id' ? 'member.organization_id' : `played.${name}`),
  most: null,
  sql: (json, conditions) =>
    keyedList(
      json,
      `select ${json.value(`${FOUND}.player_id`)} || ':' || ${json.object(rosterKinds, FOUND)} as entry
      from player as ${FOUND} where ${FOUND}.deleted = 0 and ${FOUND}.player_id in (
        select played.player_id from player_team_season as played
        join membership as member on member.team_id = played.team_id and member.season = played.season
        where played.deleted = 0 and ${conditions})
      order by ${FOUND}.last_name, ${FOUND}.first_name, ${FOUND}.player_id`,
    ),
}

const getPlayers: Operation = {
  accepts: { organization_id: 'key', team_id: 'key', season: 'integer' },
  requires: ['organization_id', 'team_id', 'season'],
  written: (filters) => ({ template: playersTemplate, filters }),
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
