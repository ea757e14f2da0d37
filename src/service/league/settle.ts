import type { Transaction } from 'kysely'
import type { Row } from '../../specification/tables.ts'
import { chronicle } from '../numbers/chronicle.ts'
import type { Schema } from '../store/schema.ts'
import { startOf } from './fixtures.ts'
import { insertRows } from './insert.ts'
import { storedRules } from './league-rules.ts'
import { ratingRows } from './ratings.ts'
import { rerank } from './rerank.ts'
import { scheduleOf } from './seasons.ts'
import type { SeasonFacts } from './seasons.ts'
import { ratingsBefore, storedSeason } from './stored.ts'
import type { SeasonKey } from './league-key.ts'
import { yieldToOthers } from './yield-to-others.ts'

type Tx = Transaction<Schema>

/**
 * Updates Elo, predictions and statistics after games have ended and their rows and boxscores are written:
 * Elo rows for both teams, new predictions of those teams' later games, and the statistics of all classes
 * from the day of the earliest such game on. Moves the `current` marks. Does nothing if all final games are
 * settled. The rows equal those of publishing the whole league again.
 */
export async function settle(transaction: Tx, key: SeasonKey): Promise<void> {
  const rules = await storedRules(transaction, key)
  if (!rules) return
  const facts = await storedSeason(transaction, key, rules)
  await yieldToOthers()
  const before = await ratingsBefore(transaction, key, rules.elo)
  const story = chronicle(scheduleOf(facts), before)
  await yieldToOthers()
  const { elo, predictions } = ratingRows(key, facts.games, story)
  const settled = await appendElo(transaction, key, elo)
  if (settled.length === 0) return
  await appendPredictions(transaction, key, predictions, begunAfter(facts, settled))
  await rerank(transaction, key, facts, story.forecasts, firstDay(facts, settled))
}

async function appendElo(
  transaction: Tx,
  key: SeasonKey,
  rows: readonly Row<'elo'>[],
): Promise<Row<'elo'>[]> {
  const known = await transaction
    .selectFrom('elo')
    .select('elo_id')
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .execute()
  const ids = new Set(known.map((row) => row.elo_id))
  const fresh = rows.filter((row) => !ids.has(row.elo_id))
  const teams = fresh.map((row) => row.team_id)
  if (fresh.length === 0) return []
  await transaction
    .updateTable('elo')
    .set({ current: 0 })
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .where('current', '=', 1)
    .where('team_id', 'in', teams)
    .execute()
  await insertRows(transaction, 'elo', fresh)
  return fresh
}

/**
 * A game whose teams have played gets a new prediction beside its earlier ones. The current ones of all games
 * that begin later are made anew, since they rest on everybody’s results.
 */
async function appendPredictions(
  transaction: Tx,
  key: SeasonKey,
  rows: readonly Row<'prediction'>[],
  later: ReadonlySet<string | null>,
): Promise<void> {
  const known = await transaction
    .selectFrom('prediction')
    .innerJoin('game', 'game.game_id', 'prediction.game_id')
    .select('prediction_id')
    .where('game.organization_id', '=', key.organization_id)
    .where('game.division_id', '=', key.division_id)
    .where('game.season', '=', key.season)
    .execute()
  const ids = new Set(known.map((row) => row.prediction_id))
  const fresh = rows.filter((row) => !ids.has(row.prediction_id))
  await makePast(
    transaction,
    fresh.map((row) => row.game_id),
  )
  const open = rows.filter((row) => ids.has(row.prediction_id) && later.has(row.game_id))
  await insertRows(transaction, 'prediction', [...fresh, ...open], 'replace')
}

async function makePast(transaction: Tx, games: readonly (string | null)[]): Promise<void> {
  if (games.length === 0) return
  await transaction
    .updateTable('prediction')
    .set({ current: 0 })
    .where('game_id', 'in', games)
    .where('live', '=', 0)
    .where('current', '=', 1)
    .execute()
}

/** The games that start after the end of the first settled one, whose result was known then. */
function begunAfter(facts: SeasonFacts, settled: readonly Row<'elo'>[]): Set<string | null> {
  const ends = settled.map((row) => row.date_of_entry ?? '').toSorted()
  return new Set(facts.games.filter((game) => startOf(game) >= (ends[0] ?? '')).map((game) => game.game_id))
}

function firstDay(facts: SeasonFacts, settled: readonly Row<'elo'>[]): string {
  const games = new Set(settled.map((row) => row.game_id))
  const days = facts.games.filter((game) => games.has(game.game_id)).map((game) => game.start_date ?? '')
  return days.reduce((first, day) => (day < first ? day : first)).slice(0, 10)
}
