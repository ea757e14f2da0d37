import type { Between } from '../graph/harness.ts'

interface Row {
  game_id?: string
  home_score?: number | null
  spread_home?: number
  live?: number
  date_of_entry?: string
  [column: string]: unknown
}

/** A game of the sample day that has begun, but has no score in the sample, which is made for one moment. */
export interface UnderWay {
  game: string
  home: number
  away: number
}

function change(row: Row, { game, home, away }: UnderWay): void {
  if (row.game_id !== game) return
  if ('home_score' in row && 'clock' in row)
    Object.assign(row, {
      status: 'in_progress',
      current_period: '2nd Half',
      clock: '7:31',
      home_score: home,
      away_score: away,
    })
}

/** The game's last line, offered live: the home team is given points though it was the favourite. */
function liveLine(rows: readonly Row[], game: string): Row | null {
  const last = rows.findLast((row) => row.game_id === game && 'money_line_home' in row)
  if (!last) return null
  return {
    ...last,
    odds_id: '00000000-0000-4000-8000-00000000beef',
    live: 1,
    date_of_entry: '2026-02-14T19:55:00.000Z',
    spread_home: 13,
    spread_away: -13,
    money_line_home: 900,
    money_line_away: -1400,
  }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** All rows anywhere in an answer. */
function rowsIn(value: unknown): Row[] {
  if (!isRow(value)) return []
  return [value, ...Object.values(value).flatMap(rowsIn)]
}

/** Stands between the graph and the service: the game is under way, with a live line. */
export const playing =
  (state: UnderWay): Between =>
  async (request, service) => {
    const answer = await service(request)
    if (!answer.body.includes(state.game)) return answer
    const body: unknown = JSON.parse(answer.body)
    const rows = rowsIn(body)
    for (const row of rows) change(row, state)
    const line = request.operation.class === 'odds' ? liveLine(rows, state.game) : null
    if (line && isRow(body)) body[String(line['odds_id'])] = line
    return { ...answer, body: JSON.stringify(body) }
  }
