import { specifiedColumns } from '../../src/service/store/schema.ts'
import type { TableName } from '../../src/specification/tables.ts'

export type Row = Record<string, string | number | null>

/** Rows at once where the database is embedded, later from a server. */
export type Rows = Row[] | Promise<Row[]>

/** The rows of a statement, which is prepared once. */
export type Select = (text: string, values: readonly string[]) => Rows

/** An answer made by hand: one operation, the arguments that the benchmark passes, nothing checked. */
export type RawRead = (select: Select, given: URLSearchParams) => string | Promise<string>

/** Works on rows without a promise where they are there. */
export const using = <T>(rows: Rows, work: (rows: Row[]) => T): T | Promise<Awaited<T>> =>
  rows instanceof Promise ? (rows.then(work) as Promise<Awaited<T>>) : work(rows)

const columns = (table: TableName) =>
  specifiedColumns(table)
    .map(([name]) => `"${name}"`)
    .join()

const marks = (count: number) => Array.from({ length: count }, () => '?').join()

const keyed = (rows: readonly Row[], key: string): string =>
  JSON.stringify(Object.fromEntries(rows.map((row) => [row[key], row])))

/** Rows by one or more ids of a column. */
const byIds =
  (table: TableName, column = `${table}_id`): RawRead =>
  (select, given) => {
    const ids = given.getAll(column)
    const text = `select ${columns(table)} from ${table} where ${column} in (${marks(ids.length)})`
    return using(select(text, ids), (rows) => keyed(rows, `${table}_id`))
  }

/** Boxscores keep the sport's part as text, which is put behind the other columns. */
const boxscores =
  (...filters: string[]): RawRead =>
  (select, given) => {
    const wheres = filters.map((filter) => `${filter} = ?`).join(' and ')
    const text = `select ${columns('boxscore')}, line from boxscore where ${wheres} order by boxscore_id`
    return using(select(text, valuesOf(given, filters)), (rows) => {
      const entries = rows.map(({ line, ...row }) => {
        const sport = JSON.stringify({ ...row, basketball_boxscore_id: row['sport_boxscore_id'] })
        return `"${row['boxscore_id']}":${sport.slice(0, -1)},${String(line).slice(1)}`
      })
      return `{${entries.join()}}`
    })
  }

const valuesOf = (given: URLSearchParams, names: readonly string[]) =>
  names.map((name) => given.get(name) ?? '')

const dayForm = /^\d{4}-\d\d-\d\d$/

const gamesOfDay = (select: Select, given: URLSearchParams): Rows => {
  const [organization = '', division = '', day = ''] = valuesOf(given, [
    'organization_id',
    'division_id',
    'start_date',
  ])
  const text = `select ${columns('game')} from game
    where organization_id = ? and division_id = ? and start_date = ? and deleted = 0 order by start_datetime, game_id`
  return select(text, [organization, division, dayForm.test(day) ? `${day}T00:00:00.000Z` : day])
}

const getGames: RawRead = (select, given) =>
  using(gamesOfDay(select, given), (games) => {
    const ids = [...new Set(games.flatMap((game) => [game['away_team_id'], game['home_team_id']]))].map(
      String,
    )
    const text = `select ${columns('team')}, (select conference_id from membership
        where membership.team_id = team.team_id and season = ? and organization_id = ? and division_id = ?) as conference_id
      from team where team_id in (${marks(ids.length)})`
    const place = ['season', 'organization_id', 'division_id'].map((name) => String(games[0]?.[name]))
    return using(select(text, [...place, ...ids]), (rows) => {
      const teams = new Map(rows.map((team) => [team['team_id'], team]))
      const answer: Record<string, object> = {}
      for (const game of games) {
        const { away_team_id: away, home_team_id: home } = game
        answer[String(game['game_id'])] = {
          ...game,
          teams: { [String(away)]: teams.get(away ?? ''), [String(home)]: teams.get(home ?? '') },
        }
      }
      return JSON.stringify(answer)
    })
  })

const getScores: RawRead = (select, given) =>
  using(gamesOfDay(select, given), (games) => {
    const ids = games.map((game) => String(game['game_id']))
    const where = `where game_id in (${marks(ids.length)}) and current = 1 and deleted = 0`
    const predictions = select(`select ${columns('prediction')} from prediction ${where} and live = 0`, ids)
    return using(predictions, (predicted) =>
      using(select(`select ${columns('odds')} from odds ${where}`, ids), (lines) =>
        scores(games, predicted, lines),
      ),
    )
  })

function scores(games: readonly Row[], predictions: readonly Row[], lines: readonly Row[]): string {
  const byGame = (rows: readonly Row[]) => new Map(rows.map((row) => [row['game_id'], row]))
  const predicted = byGame(predictions)
  const [pre, live] = [0, 1].map((flag) => byGame(lines.filter((line) => line['live'] === flag)))
  const answer: Record<string, object> = {}
  for (const { game_id = '', away_score, home_score, clock, current_period, status } of games)
    answer[String(game_id)] = {
      game_id,
      away_score,
      home_score,
      clock,
      current_period,
      status,
      prediction: predicted.get(game_id) ?? null,
      odds: { pre: pre?.get(game_id) ?? null, live: live?.get(game_id) ?? null },
    }
  return JSON.stringify(answer)
}

const statsFilters = ['organization_id', 'division_id', 'team_id', 'season']

const getStats: RawRead = (select, given) => {
  const text = `select ${columns('statistic_ranking')}, line from statistic_ranking
    where ${statsFilters.map((filter) => `${filter} = ?`).join(' and ')} and current = 1 order by date_of_rank desc limit 1`
  return using(select(text, valuesOf(given, statsFilters)), ([first]) => {
    const { line, ...row } = first ?? {}
    return `${JSON.stringify(row).slice(0, -1)},${String(line).slice(1)}`
  })
}

const rosterColumns = specifiedColumns('player')
  .map(([name]) => name)
  .filter((name) => name !== 'college' && !name.startsWith('draft_'))
  .map((name) => `"${name}"`)
  .join()

const getPlayers: RawRead = (select, given) => {
  const text = `select ${rosterColumns} from player where deleted = 0 and player_id in (
      select played.player_id from player_team_season played
      join membership member on member.team_id = played.team_id and member.season = played.season
      where played.deleted = 0 and played.team_id = ? and played.season = ? and member.organization_id = ?)
    order by last_name, first_name, player_id`
  return using(select(text, valuesOf(given, ['team_id', 'season', 'organization_id'])), (rows) =>
    keyed(rows, 'player_id'),
  )
}

const currentElo: RawRead = (select, given) => {
  const text = `select ${columns('elo')} from elo where organization_id = ? and division_id = ? and season = ? and current = 1
    order by date_of_entry, elo_id`
  return using(select(text, valuesOf(given, ['organization_id', 'division_id', 'season'])), (rows) =>
    keyed(rows, 'elo_id'),
  )
}

/** What the raw server answers, by operation. */
export const rawReads: Readonly<Record<string, RawRead>> = {
  'game/read': byIds('game'),
  'team/read': byIds('team'),
  'player/read': byIds('player'),
  'odds/read': byIds('odds', 'game_id'),
  'boxscore/readBoxscore': boxscores('organization_id', 'game_id'),
  'game/getGames': getGames,
  'game/getScores': getScores,
  'team/getStats': getStats,
  'team/getPlayers': getPlayers,
  'elo/read': currentElo,
}
