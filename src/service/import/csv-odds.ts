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
  const dated = new Map<string, string>()
  for (const { game_id, date } of odds)
    if (date !== null && date > (dated.get(game_id) ?? '')) dated.set(game_id, date)
  const closed = new Set(odds.filter(({ date }) => date === null).map(({ game_id }) => game_id))
  return odds.flatMap((line) => {
    const game = games.get(line.game_id)
    if (!game) return []
    const last = dated.get(line.game_id)
    const isLast = line.date === null || (!closed.has(line.game_id) && line.date === last)
    return [oddsRow(origin, { ...line, entered: line.date ?? closingTime(game, last) }, isLast)]
  })
}

/** The game's start; a second after the last line with a date if that is later. */
function closingTime(game: CsvGame, last = ''): string {
  const start = game.start ?? `${game.day}T00:00:00.000Z`
  return last < start ? start : new Date(Date.parse(last) + 1000).toISOString()
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
