import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { specifiedColumns } from '../store/schema.ts'
import type { Found } from './selection.ts'
import { isIn } from './selection.ts'
import { keyedText, spliced } from './json.ts'
import type { Context } from './operation.ts'

/** Maximum ids in one statement: below the parameter limit of both databases. */
const CHUNK = 8192

/** Rows for any number of ids, read in chunks. */
export async function inChunks<R>(
  ids: Iterable<string>,
  read: (chunk: readonly string[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const all = [...new Set(ids)]
  const rows: R[] = []
  for (let from = 0; from < all.length; from += CHUNK)
    rows.push(...(await read(all.slice(from, from + CHUNK))))
  return rows
}

const teamColumns = specifiedColumns('team').map(([name]) => name as keyof Schema['team']) // exactly its columns

/** A team and a season as one text key. */
const place = (team: unknown, organization: unknown, division: unknown, season: unknown) =>
  `${team} ${organization} ${division} ${season}`

/**
 * Each game's `teams` as JSON text, keyed by team_id: the away team, then the home team (specification §2,
 * game).
 */
export async function teamsOfGames(context: Context, games: readonly Found[], withConference: boolean) {
  const ids = new Set(games.flatMap((game) => [String(game['away_team_id']), String(game['home_team_id'])]))
  const teams = new Map((await readTeams(context.db, ids)).map((team) => [team.team_id, team]))
  const conferences = withConference
    ? await readConferences(context.db, ids)
    : new Map<string, string | null>()
  return (game: Found): string => {
    const sides = new Map<string, string>()
    for (const id of [String(game['away_team_id']), String(game['home_team_id'])]) {
      const team = teams.get(id)
      const at = place(id, game['organization_id'], game['division_id'], game['season'])
      const more = withConference ? { conference_id: conferences.get(at) ?? null } : {}
      if (team) sides.set(id, JSON.stringify({ ...team, ...more }))
    }
    return keyedText([...sides])
  }
}

/** A game's row with its teams. */
export const withTeams = (game: Found, teams: string): string =>
  spliced(JSON.stringify(game), `{"teams":${teams}}`)

const readTeams = (db: Kysely<Schema>, ids: Iterable<string>) =>
  inChunks(ids, (chunk) => db.selectFrom('team').select(teamColumns).where(isIn('team_id', chunk)).execute())

async function readConferences(
  db: Kysely<Schema>,
  ids: Iterable<string>,
): Promise<Map<string, string | null>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('membership').selectAll().where(isIn('team_id', chunk)).execute(),
  )
  return new Map(
    rows.map((row) => [
      place(row.team_id, row.organization_id, row.division_id, row.season),
      row.conference_id,
    ]),
  )
}

const predictionColumns = specifiedColumns('prediction').map(([name]) => name as keyof Schema['prediction']) // exactly its columns
const oddsColumns = specifiedColumns('odds').map(([name]) => name as keyof Schema['odds']) // exactly its columns

/** The pre-game prediction of each game that has one: the current one, of several the latest. */
export async function predictionsOf(db: Kysely<Schema>, games: readonly string[]) {
  const rows = await inChunks(games, (chunk) =>
    db
      .selectFrom('prediction')
      .select(predictionColumns)
      .where(isIn('game_id', chunk))
      .where('current', '=', 1)
      .where('live', '=', 0)
      .where('deleted', '=', 0)
      .orderBy('date_of_entry')
      .orderBy('prediction_id')
      .execute(),
  )
  return new Map(rows.map((row) => [row.game_id, row]))
}

export interface Lines {
  pre: Schema['odds'] | null
  live: Schema['odds'] | null
}

/** The current lines of each game: the pre-game line and the live line. */
export async function linesOf(
  db: Kysely<Schema>,
  games: readonly string[],
): Promise<(game: string) => Lines> {
  const rows = await inChunks(games, (chunk) =>
    db
      .selectFrom('odds')
      .select(oddsColumns)
      .where(isIn('game_id', chunk))
      .where('current', '=', 1)
      .where('deleted', '=', 0)
      .orderBy('date_of_entry')
      .orderBy('odds_id')
      .execute(),
  )
  const [pre, live] = [0, 1].map(
    (flag) => new Map(rows.filter((row) => row.live === flag).map((row) => [row.game_id, row])),
  )
  return (game) => ({ pre: pre?.get(game) ?? null, live: live?.get(game) ?? null })
}
