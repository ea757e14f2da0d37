import type { Row } from '../../specification/tables.ts'
import { keyOfGame } from './origin.ts'
import type { Origin } from './origin.ts'
import type { CsvGame, CsvOdds } from './csv-tables.ts'

/** The lines of each game; the last one is current. A line without a date is the closing line. */
export function oddsRows(
  origin: Origin,
  odds: readonly CsvOdds[],
  games: ReadonlyMap<string, CsvGame>,
): Row<'odds'>[] {
  const lines = odds.flatMap((line) => {
    const game = games.get(line.game_id)
    return game ? [{ ...line, entered: line.date ?? game.start ?? `${game.day}T00:00:00.000Z` }] : []
  })
  const last = new Map<string, string>()
  for (const { game_id, entered } of lines) {
    const before = last.get(game_id)
    if (before === undefined || entered > before) last.set(game_id, entered)
  }
  return lines.map((line) => oddsRow(origin, line, last.get(line.game_id) === line.entered))
}

const oddsRow = (
  origin: Origin,
  line: CsvOdds & { readonly entered: string },
  current: boolean,
): Row<'odds'> => ({
  odds_id: keyOfGame(origin, 'odds', line.game_id, line.entered),
  game_id: keyOfGame(origin, 'game', line.game_id),
  money_line_away: line.money_line_away,
  money_line_home: line.money_line_home,
  spread_away: line.spread_home === null ? null : 0 - line.spread_home,
  spread_home: line.spread_home,
  over: line.over,
  under: line.under,
  date_of_entry: line.entered,
  live: 0,
  current: current ? 1 : 0,
  deleted: 0,
})
