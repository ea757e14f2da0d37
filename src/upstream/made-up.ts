import { keyOf, tables } from '../specification/tables.ts'
import type { Kind } from '../specification/columns.ts'
import type { TableName } from '../specification/tables.ts'
import type { Estimates, Level } from './estimates.ts'
import { formOf, idsOf, suppliedBy } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import type { Rows } from '../rows/rows.ts'
import type { Incoming, Transport } from './transport.ts'

/**
 * The conferences of made-up teams: those that are known, and made-up ones, up to as many as a league has.
 * With one for each team, a week of games would be priced with hundreds.
 */
function conferencesOf(estimates: Estimates, level: Level, rows: Rows, key: () => string): () => string {
  const most = Math.round(estimates.rowsPerId(operations.readLeagueConferences, '', level))
  let next = 0
  let keys: string[] | undefined
  return () => {
    keys ??= [...rows.keysOf('conference')]
    while (keys.length < Math.max(1, most)) keys.push(key())
    return keys[(next += 1) % keys.length] ?? key()
  }
}

/** The games that are known of a team: its ratings are those after these games. */
function gamesOf(team: unknown, rows: Rows, now: number): readonly string[] {
  return [...rows.keysOf('game')].filter((key) => {
    const game = rows.find('game', key)
    return game?.column('home_team_id', now) === team || game?.column('away_team_id', now) === team
  })
}

const seasonsMadeUp = 4

/** Answers calls with made-up rows of the number and size that is expected at a level. */
export function madeUp(
  estimates: Estimates,
  level: Level,
  now: number,
  known: Rows,
  codes: readonly string[],
): Transport {
  let made = 0
  const key = () => `00000000-0000-4000-b000-${String((made += 1)).padStart(12, '0')}`
  const conference = conferencesOf(estimates, level, known, key)
  const lists = new Map<string, readonly string[]>()
  const references = new Map<string, string>()
  const gamesPlayed = new Map<unknown, readonly string[]>()
  const leagues = new Map<unknown, unknown>()
  return async ({ operation, arguments: values }): Promise<Incoming> => {
    const count = estimates.rowsPerId(operation, formOf(values), level) * idsOf(operation, values)
    const rows = rowsOf(operation, values, Math.round(count))
    return {
      status: 200,
      headers: { 'x-request-usage': String(estimates.tokens(operation, values, level)) },
      body: JSON.stringify(rows),
      bytes: Math.round(estimates.bytes(operation, values, level)),
    }
  }

  /** A made-up league has only a few seasons, so that a query for all seasons ends. */
  function isLongOver({ season }: Arguments): boolean {
    return Number(season ?? Infinity) < new Date(now).getUTCFullYear() - seasonsMadeUp
  }

  /** An organization has ratings in one division, the first that is asked for, so that a code names one league. */
  function isLeague({ organization_id: organization, division_id: division, season }: Arguments): boolean {
    if (season !== undefined) return true
    if (!leagues.has(organization)) leagues.set(organization, division)
    return leagues.get(organization) === division
  }

  function rowsOf(operation: Operation, values: Arguments, count: number): unknown {
    if (operation.yields === 'search') return searchResult(values)
    const table = operation.yields
    if (operation === operations.getAnyElo && (isLongOver(values) || !isLeague(values))) return {}
    if (operation.answer === 'row') return rowOf(table, operation, values, 0)
    const column = keyOf(table)
    const keys = keysOf(table, values, count)
    const rows = keys.map((id, index) => ({ ...rowOf(table, operation, values, index, id), [column]: id }))
    return Object.fromEntries(rows.map((row, index) => [String(keys[index]), row]))
  }

  /** The requested keys, or made-up ones. Operations with the same arguments get the same keys. */
  function keysOf(table: TableName, values: Arguments, count: number): readonly string[] {
    const asked = values[keyOf(table)]
    if (Array.isArray(asked)) return asked
    const { organization_id: _organization, division_id: _division, ...place } = values
    const name = `${table} ${JSON.stringify(place)}`
    const fewest = table === 'organization' ? Math.max(1, codes.length) : 1
    const known = lists.get(name) ?? Array.from({ length: Math.max(fewest, count) }, key)
    lists.set(name, known)
    return known
  }

  function rowOf(
    table: TableName,
    operation: Operation,
    values: Arguments,
    index: number,
    id?: string,
  ): Record<string, unknown> {
    const row: Record<string, unknown> = {}
    for (const column of suppliedBy(operation)) {
      if (isOfAskedLeague(operation, values, column)) continue
      const kind = kindOf(table, column)
      row[column] =
        valueAt(values[column], index) ?? (kind === 'key' ? keyIn(id, column) : placeholder(kind, now))
    }
    row['deleted'] = 0
    const code = codes[index % codes.length]?.split('/')[table === 'organization' ? 0 : 1]
    if (code !== undefined && (table === 'organization' || table === 'division')) row['code'] = code
    if (table === 'elo' && values['season'] !== undefined) row['game_id'] = gameOf(values, index) ?? key()
    return { ...row, ...nested(row, operation) }
  }

  /** The game after which a team has a rating of its season. */
  function gameOf({ team_id: team }: Arguments, index: number): string | undefined {
    const of = valueAt(team, index)
    const games = gamesPlayed.get(of) ?? gamesOf(of, known, now)
    gamesPlayed.set(of, games)
    return games[Math.floor(index / (Array.isArray(team) ? team.length : 1))]
  }

  /** The same key in each answer with this row: a game's teams do not change. */
  function keyIn(id: string | undefined, column: string): string {
    if (id === undefined) return key()
    // At least all are of one league, so that games whose days are unknown share one.
    const isShared = level === 'least' && (column === 'organization_id' || column === 'division_id')
    const place = isShared ? column : `${id} ${column}`
    const referred = references.get(place) ?? (column === 'conference_id' ? conference() : key())
    references.set(place, referred)
    return referred
  }

  function nested(row: Record<string, unknown>, operation: Operation): Record<string, unknown> {
    const ofGame = { game_id: row['game_id'] }
    switch (operation.nests) {
      case 'teams':
        return { teams: teamsOf(row) }
      case 'lines':
        return {
          prediction: { prediction_id: key(), ...ofGame },
          odds: { pre: { odds_id: key(), ...ofGame }, live: { odds_id: key(), ...ofGame } },
        }
      case 'game':
        return { game: { ...rowOf('game', operations.getGames, {}, 0), ...ofGame } }
      default:
        return {}
    }
  }

  function teamsOf(game: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(
      [game['home_team_id'], game['away_team_id']].map((id) => {
        const team = rowOf('team', operations.readTeams, { team_id: String(id) }, 0)
        return [String(id), { ...team, conference_id: conference() }]
      }),
    )
  }

  function searchResult(values: Arguments): Record<string, unknown> {
    const all = !values['team'] && !values['player'] && !values['coach']
    const group = (flag: string) => (all || values[flag] ? [{ [`${flag}_id`]: key() }] : null)
    return { teams: group('team'), players: group('player'), coaches: group('coach') }
  }
}

/**
 * The games of a team's season have no made-up league: they would be filtered out, because the call does not
 * name a league.
 */
const isOfAskedLeague = ({ yields }: Operation, values: Arguments, column: string) =>
  yields === 'game' &&
  values['season'] !== undefined &&
  values[column] === undefined &&
  (column === 'organization_id' || column === 'division_id')

const kindOf = (table: TableName, column: string): Kind | undefined =>
  (tables[table] as Record<string, { readonly kind: Kind }>)[column]?.kind

const valueAt = (value: unknown, index: number) =>
  Array.isArray(value) ? value[index % value.length] : value

function placeholder(kind: Kind | undefined, now: number): string | number | null {
  switch (kind) {
    case 'timestamp':
    case 'day':
      return new Date(now).toISOString()
    case 'integer':
    case 'number':
    case 'flag':
      return 1
    default:
      return ''
  }
}
