import type { Transaction } from 'kysely'
import type { Row } from '../../specification/tables.ts'
import type { Schema } from '../store/schema.ts'
import type { OpenGame } from './open-games.ts'
import { liveMovements, livePredictionRows, oddsRows, pregameMovements } from './market.ts'

/**
 * Lines and live predictions of a game that are due at `now` and not yet written; the last of each series
 * becomes current.
 */
export async function writeSeries(
  transaction: Transaction<Schema>,
  { game, timeline }: OpenGame,
  now: number,
): Promise<void> {
  const before = pregameMovements(game).filter(({ at }) => at <= now)
  const live = game.fixture.start <= now ? liveMovements(game, timeline(), now) : []
  await appendOdds(transaction, oddsRows(game, 0, before))
  await appendOdds(transaction, oddsRows(game, 1, live))
  await appendPredictions(transaction, livePredictionRows(game, live))
}

async function appendOdds(transaction: Transaction<Schema>, rows: readonly Row<'odds'>[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const { game_id, live } = first
  const series = transaction.selectFrom('odds').where('game_id', '=', game_id).where('live', '=', live)
  const fresh = missing(rows, await series.select('odds_id as id').execute(), (row) => row.odds_id)
  if (fresh.length === 0) return
  await transaction
    .updateTable('odds')
    .set({ current: 0 })
    .where('game_id', '=', game_id)
    .where('live', '=', live)
    .where('current', '=', 1)
    .execute()
  await transaction.insertInto('odds').values(fresh).execute()
}

async function appendPredictions(
  transaction: Transaction<Schema>,
  rows: readonly Row<'prediction'>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const { game_id } = first
  const series = transaction.selectFrom('prediction').where('game_id', '=', game_id).where('live', '=', 1)
  const fresh = missing(
    rows,
    await series.select('prediction_id as id').execute(),
    (row) => row.prediction_id,
  )
  if (fresh.length === 0) return
  await transaction
    .updateTable('prediction')
    .set({ current: 0 })
    .where('game_id', '=', game_id)
    .where('live', '=', 1)
    .where('current', '=', 1)
    .execute()
  await transaction.insertInto('prediction').values(fresh).execute()
}

function missing<R>(
  rows: readonly R[],
  written: readonly { id: string | null }[],
  idOf: (row: R) => string | null,
): R[] {
  const known = new Set(written.map(({ id }) => id))
  return rows.filter((row) => !known.has(idOf(row)))
}
