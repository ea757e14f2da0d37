import type { JsonSql } from '../store/json-sql.ts'
import { FOUND, open, rowsTemplate, rowText } from './template.ts'
import type { Template } from './operation.ts'

/**
 * A game's row with its `teams`, keyed by team_id: the away team and the home team (specification §2, game).
 */
export function gameWithTeams(json: JsonSql, game: string, withConference: boolean): string {
  const [away, home] = [`${game}.away_team_id`, `${game}.home_team_id`]
  const side = (id: string) =>
    `(select ${json.value('team.team_id')} || ':' || ${teamText(json, game, withConference)} from team where team.team_id = ${id})`
  const second = `case when ${home} = ${away} then null else ${side(home)} end`
  return `${open(rowText(json, 'game', game))} || ',"teams":{'
    || coalesce(${side(away)} || coalesce(',' || ${second}, ''), ${second}, '') || '}}'`
}

/** A team's conference is that of its membership in the game's season. */
function teamText(json: JsonSql, game: string, withConference: boolean): string {
  const text = rowText(json, 'team', 'team')
  if (!withConference) return text
  const conference = `(select member.conference_id from membership as member
    where member.team_id = team.team_id and member.season = ${game}.season
      and member.organization_id = ${game}.organization_id and member.division_id = ${game}.division_id)`
  return `${open(text)} || ',"conference_id":' || ${json.value(conference)} || '}'`
}

/**
 * The current prediction of a game before its start, or its current lines of one kind; null if there are
 * none.
 */
function current(json: JsonSql, table: 'prediction' | 'odds', live: 0 | 1): string {
  return `coalesce((select ${rowText(json, table, 'latest')} from ${table} as latest
    where latest.game_id = ${FOUND}.game_id and latest.current = 1 and latest.live = ${live} and latest.deleted = 0
    order by latest.date_of_entry desc, latest.${table}_id desc limit 1), 'null')`
}

const odds = (json: JsonSql) =>
  `'"odds":{"pre":' || ${current(json, 'odds', 0)} || ',"live":' || ${current(json, 'odds', 1)} || '}}'`

export const gamesTemplate: Template = rowsTemplate('game', (json) => gameWithTeams(json, FOUND, true))

/** The columns of a game in a score entry. */
const scoreColumns = [
  ['game_id', 'key'],
  ['away_score', 'integer'],
  ['home_score', 'integer'],
  ['clock', 'text'],
  ['current_period', 'text'],
  ['status', 'text'],
] as const

export const scoresTemplate: Template = rowsTemplate(
  'game',
  (json) => `${open(json.object(scoreColumns, FOUND))}
    || ',"prediction":' || ${current(json, 'prediction', 0)} || ',' || ${odds(json)}`,
)

export const oddsTemplate: Template = rowsTemplate(
  'game',
  (json) => `'{"game_id":' || ${json.value(`${FOUND}.game_id`)} || ',' || ${odds(json)}`,
)
