import type { Line, PlayerBoxscore } from '../../../src/service/league/facts.ts'
import { dayOf } from '../../../src/service/sample/calendar.ts'
import type { Competition } from '../../../src/service/sample/competitions.ts'
import { factsOf } from '../../../src/service/sample/facts.ts'
import { timelineOf, sampleLeague } from '../../../src/service/sample/league.ts'

const now = Date.UTC(2026, 10, 20, 12)

export interface Side {
  readonly name: string
  readonly score: number | null
  readonly line: Line
  readonly opponent: Line
  readonly players: readonly Line[]
  readonly overtimes: number
}

/** Both sides of every game that is over, with the lines of the team, its opponent and its players. */
export function sidesOf(competition: Competition): Side[] {
  const league = sampleLeague('statline', competition, dayOf(now))
  const facts = factsOf(league, now)
  const lines = new Map(facts.boxscores.map((row) => [`${row.game_id} ${row.team_id}`, row.line]))
  const players = linesBySide(facts.playerBoxscores)
  const overtimes = new Map(
    league.games.map((game) => [
      game.id,
      timelineOf(game).periods.filter(({ name }) => name.includes('Overtime')).length,
    ]),
  )
  return facts.games
    .filter((game) => game.status === 'final')
    .flatMap((game) =>
      (['home', 'away'] as const).map((side) => {
        const other = side === 'home' ? 'away' : 'home'
        const key = `${game.game_id} ${game[`${side}_team_id`]}`
        return {
          name: key,
          score: game[`${side}_score`],
          line: lines.get(key) ?? {},
          opponent: lines.get(`${game.game_id} ${game[`${other}_team_id`]}`) ?? {},
          players: players.get(key) ?? [],
          overtimes: overtimes.get(game.game_id ?? '') ?? 0,
        }
      }),
    )
}

function linesBySide(rows: readonly PlayerBoxscore[]): Map<string, Line[]> {
  const sides = new Map<string, Line[]>()
  for (const { game_id, team_id, line } of rows) {
    const key = `${game_id} ${team_id}`
    sides.set(key, [...(sides.get(key) ?? []), line])
  }
  return sides
}

export const value = (line: Line, column: string) => line[column] ?? 0
export const total = (lines: readonly Line[], column: string) =>
  lines.reduce((sum, line) => sum + value(line, column), 0)
export const isRate = (column: string) => /percentage|_per_|average|rating|_long$|longest/.test(column)

/** Names the sides for which a rule does not hold. */
export const breaking = (sides: readonly Side[], rule: (side: Side) => boolean) =>
  sides.filter((side) => !rule(side)).map(({ name }) => name)

/** The mean of a column over the teams. */
export const meanOf = (sides: readonly Side[], column: string) =>
  total(
    sides.map(({ line }) => line),
    column,
  ) / sides.length
