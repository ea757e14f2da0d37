import type { Reply, Subject } from './questions/question.ts'
import type { RawRow } from '../specification/raw-row.ts'

const textIn = (row: RawRow, name: string): string | undefined => {
  const value = row[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Learns the ids that further probes need, from the first row that is a game. Known ids stay. */
export function learnSubject(about: Subject, { rows }: Reply): Subject {
  const game = rows.find((row) => row['home_team_id'] !== undefined && row['game_id'] !== undefined)
  if (!game || about.game_id !== undefined) return about
  const season = Number(game['season'])
  const learned = {
    organization_id: textIn(game, 'organization_id'),
    division_id: textIn(game, 'division_id'),
    game_id: textIn(game, 'game_id'),
    home_team_id: textIn(game, 'home_team_id'),
    away_team_id: textIn(game, 'away_team_id'),
    day: textIn(game, 'start_date')?.slice(0, 10),
    season: Number.isInteger(season) ? season : undefined,
  }
  const found = Object.entries(learned).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(found), ...about }
}
