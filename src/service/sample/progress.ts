import type { Transaction } from 'kysely'
import type { Boxscore, PlayerBoxscore } from '../league/facts.ts'
import { storedForm } from '../league/stored-form.ts'
import type { Schema } from '../store/schema.ts'
import { stateAt } from './game-rows.ts'
import type { OpenGame } from './open-games.ts'

/** Writes a started game at `now`: its row, and its boxscores if there was a play since. */
export async function writeProgress(
  transaction: Transaction<Schema>,
  open: OpenGame,
  now: number,
): Promise<void> {
  const { row, boxscores, playerBoxscores } = stateAt(open.game, open.timeline(), now)
  await transaction.updateTable('game').set(row).where('game_id', '=', open.game.id).execute()
  if (row.status !== 'final' && playsAt(open, now) === open.plays) return
  await writeBoxscores(transaction, boxscores)
  if (playerBoxscores.length > 0) await writePlayerBoxscores(transaction, playerBoxscores)
}

/** The number of plays so far. */
export function playsAt({ game, timeline }: OpenGame, now: number): number {
  const elapsed = (now - game.fixture.start) / 1_000
  return elapsed < 0 ? 0 : timeline().plays.filter(({ at }) => at <= elapsed).length
}

async function writeBoxscores(transaction: Transaction<Schema>, rows: readonly Boxscore[]) {
  await transaction
    .insertInto('boxscore')
    .values([...storedForm('boxscore', rows)])
    .onConflict((conflict) =>
      conflict.column('boxscore_id').doUpdateSet(({ ref }) => ({
        final: ref('excluded.final'),
        line: ref('excluded.line'),
      })),
    )
    .execute()
}

async function writePlayerBoxscores(transaction: Transaction<Schema>, rows: readonly PlayerBoxscore[]) {
  await transaction
    .insertInto('player_boxscore')
    .values([...storedForm('player_boxscore', rows)])
    .onConflict((conflict) =>
      conflict.column('player_boxscore_id').doUpdateSet(({ ref }) => ({
        final: ref('excluded.final'),
        line: ref('excluded.line'),
      })),
    )
    .execute()
}
