import { keyOf } from '../../specification/tables.ts'
import type { TableName } from '../../specification/tables.ts'
import type { Estimates, Level } from '../../account/estimates.ts'
import { argumentsOf, formOf, idsOf } from '../../specification/operation.ts'
import { operations } from '../../specification/operations.ts'
import type { Argument, Arguments, Operation } from '../../specification/operation.ts'
import type { RawRow } from '../../specification/raw-row.ts'
import type { Rows } from '../../rows/rows.ts'
import { newestPossible } from '../../rows/seasons.ts'
import { hasSimulations } from '../../account/simulations.ts'
import { GamesByDay } from './games-by-day.ts'
import { madeUpColumns } from './made-up-columns.ts'
import { stateInSeason } from './made-up-games.ts'
import { madeUpKeys } from './made-up-keys.ts'
import type { Incoming, Transport } from '../../wire/transport.ts'

/** The games that are known of each team: its ratings are those after these games. */
function gamesByTeam(rows: Rows, now: number): ReadonlyMap<unknown, readonly string[]> {
  const games = new Map<unknown, string[]>()
  for (const key of rows.keysOf('game')) {
    const game = rows.find('game', key)
    for (const team of new Set([game?.column('home_team_id', now), game?.column('away_team_id', now)])) {
      const own = games.get(team)
      if (own) own.push(key)
      else games.set(team, [key])
    }
  }
  return games
}

/** Seasons before the newest. A made-up league has only a few, so that a query for all seasons ends. */
const earlierSeasons = (level: Level) => (level === 'least' ? 0 : 4)

/** What a search finds in each group: at most six, by the specification. */
const matches: Readonly<Record<Level, number>> = { least: 1, usual: 3, safe: 6, most: 6 }

/** What a query names that made-up rows have to have. */
export interface Names {
  /** The codes of leagues. */
  readonly codes?: readonly string[]
  /** The statistics that leaderboards are ordered by. */
  readonly statistics?: readonly string[]
}

/**
 * Answers calls with made-up rows of the number and size that is expected at a level. `known` are the rows that
 * the dry run begins with, `used` those that it has used or made up.
 */
export function madeUp(
  estimates: Estimates,
  level: Level,
  now: number,
  today: string,
  { known, used }: { readonly known: Rows; readonly used: Rows },
  { codes = [], statistics = [] }: Names,
): Transport {
  const keys = madeUpKeys(estimates, level, known)
  const lists = new Map<string, readonly string[]>()
  const days = new GamesByDay(used, now)
  const columnsOf = madeUpColumns(now, today)
  let gamesPlayed: ReadonlyMap<unknown, readonly string[]> | undefined
  const leagues = new Map<unknown, unknown>()
  // Without simulations fewer calls follow. Whether a plan has them is unknown until it has bought a projection.
  const hasAccess = hasSimulations(known) ?? level !== 'least'
  return async ({ operation, arguments: values }): Promise<Incoming> => {
    const count = estimates.rowsPerId(operation, formOf(values), level) * idsOf(operation, values)
    const rows = rowsOf(operation, values, Math.round(count))
    return {
      status: 200,
      headers: { 'x-request-usage': String(estimates.tokens(operation, values, level)) },
      body: '',
      madeUp: rows,
      bytes: Math.round(estimates.bytes(operation, values, level)),
    }
  }

  function isLongOver({ season }: Arguments): boolean {
    return Number(season ?? Infinity) < newestPossible(now) - earlierSeasons(level)
  }

  /** An organization has ratings in one division, the first that is asked for, so that a code names one league. */
  function isLeague({ organization_id: organization, division_id: division, season }: Arguments): boolean {
    if (season !== undefined) return true
    if (!leagues.has(organization)) leagues.set(organization, division)
    return leagues.get(organization) === division
  }

  function rowsOf(operation: Operation, values: Arguments, count: number): RawRow {
    if (operation.yields === 'search') return searchResult(values)
    const table = operation.yields
    if (operation === operations.getAnyElo && (isLongOver(values) || !isLeague(values))) return {}
    if (operation.answer === 'row') return rowOf(table, operation, values, 0)
    const column = keyOf(table)
    const rows: Record<string, unknown> = {}
    keysOf(table, values, count).forEach((id, index) => {
      const row = rowOf(table, operation, values, index, id)
      row[column] = id
      rows[id] = row
    })
    return rows
  }

  /** The requested keys, or made-up ones. Operations with the same arguments get the same keys. */
  function keysOf(table: TableName, values: Arguments, count: number): readonly string[] {
    const asked = values[keyOf(table)]
    if (Array.isArray(asked)) return asked
    const { organization_id: _organization, division_id: _division, ...place } = values
    const name = `${table} ${JSON.stringify(Object.entries(place).toSorted())}`
    const fewest = table === 'organization' ? Math.max(1, codes.length) : 1
    const before = lists.get(name)
    if (before) return before
    const day = table === 'game' ? values['start_date'] : undefined
    const first = day === undefined ? [] : days.usedOn(day)
    const list = Array.from({ length: Math.max(fewest, count) }, (_, at) => first[at] ?? keys.next())
    lists.set(name, list)
    if (day !== undefined) days.list(day, list)
    return list
  }

  function rowOf(
    table: TableName,
    operation: Operation,
    values: Arguments,
    index: number,
    id = String(valueAt(values[keyOf(table)], index) ?? keys.next()),
  ): Record<string, unknown> {
    const { blank, keys: referring } = columnsOf(operation, values)
    const row: Record<string, unknown> = { ...blank }
    for (const column in values)
      if (column in row) row[column] = valueAt(values[column], index) ?? row[column]
    const before = table === 'game' ? used.find(table, id) : undefined
    if (before) for (const column in row) row[column] = before.column(column, now) ?? row[column]
    for (const column of referring)
      if (row[column] === '') row[column] = keys.referred(table, id, column, values)
    if (keyOf(table) in row) row[keyOf(table)] = id
    row['deleted'] = 0
    if (table === 'game' && values['season'] !== undefined)
      for (const [column, value] of Object.entries(stateInSeason(values, index, now)))
        if (column in row) row[column] = value
    const code = codes[index % codes.length]?.split('/')[table === 'organization' ? 0 : 1]
    if (code !== undefined && (table === 'organization' || table === 'division')) row['code'] = code
    if (operation === operations.getConferencePrediction) row['hasAccess'] = hasAccess
    if (table.endsWith('statistic_ranking')) for (const name of statistics) row[name] ??= 1
    if (table === 'elo' && values['season'] !== undefined)
      row['game_id'] = gameOf(values, index) ?? keys.next()
    if (table === 'elo') keys.note(row['game_id'], 'home_team_id', row['team_id'])
    return Object.assign(row, nested(row, operation, values, index))
  }

  /** The game after which a team has a rating of its season. */
  function gameOf({ team_id: team, season = '' }: Arguments, index: number): string | undefined {
    const of = valueAt(team, index)
    gamesPlayed ??= gamesByTeam(known, now)
    const games = gamesPlayed.get(of) ?? []
    const nth = Math.floor(index / (Array.isArray(team) ? team.length : 1))
    return games[nth] ?? madeUpGame(String(of), season, nth - games.length)
  }

  /** A game of a team's season, in the order of its lists: at home and away in turn. */
  function madeUpGame(team: string, season: Argument, nth: number): string | undefined {
    const side = nth % 2 === 0 ? 'home_team_id' : 'away_team_id'
    const values = { season, [side]: team }
    const count = Math.round(estimates.rowsPerId(operations.readGames, formOf(values), level))
    return keysOf('game', values, count)[Math.floor(nth / 2)]
  }

  function nested(
    row: Record<string, unknown>,
    operation: Operation,
    { organization_id, division_id, season }: Arguments,
    index: number,
  ): Record<string, unknown> {
    const ofGame = { game_id: row['game_id'] }
    switch (operation.nests) {
      case 'teams':
        return { teams: teamsOf(row) }
      case 'lines':
        return {
          prediction: { prediction_id: keys.next(), ...ofGame },
          odds: { pre: { odds_id: keys.next(), ...ofGame }, live: { odds_id: keys.next(), ...ofGame } },
        }
      case 'game': {
        const ofSeason = argumentsOf({ organization_id, division_id, season })
        return { game: rowOf('game', operations.getGames, ofSeason, index, String(row['game_id'])) }
      }
      default:
        return {}
    }
  }

  function teamsOf(game: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(
      [game['home_team_id'], game['away_team_id']].map((id) => {
        const team = rowOf('team', operations.readTeams, { team_id: String(id) }, 0)
        return [String(id), { ...team, conference_id: keys.conference() }]
      }),
    )
  }

  function searchResult(values: Arguments): Record<string, unknown> {
    const all = !values['team'] && !values['player'] && !values['coach']
    const group = (flag: string) =>
      all || values[flag]
        ? Array.from({ length: matches[level] }, () => ({ [`${flag}_id`]: keys.next() }))
        : null
    return { teams: group('team'), players: group('player'), coaches: group('coach') }
  }
}

const valueAt = (value: unknown, index: number) =>
  Array.isArray(value) ? value[index % value.length] : value
