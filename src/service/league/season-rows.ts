import type { Transaction } from 'kysely'
import { chronicle } from '../numbers/chronicle.ts'
import type { Ratings } from '../numbers/elo.ts'
import { isPlayerClass } from '../numbers/classes.ts'
import type { Tally } from '../numbers/tally.ts'
import { daysOf, teamDays } from '../numbers/team-days.ts'
import type { TeamDay } from '../numbers/team-days.ts'
import { computedTables, tablesCleared } from '../store/schema.ts'
import type { ClearedTable, ComputedTable, Schema, Table } from '../store/schema.ts'
import type { Clearing } from '../store/tables.ts'
import { insertRows } from './insert.ts'
import { forgetRanked, markRanked } from './ranked-day.ts'
import { isStatisticClass, statisticClasses } from '../../specification/tables.ts'
import { latestOnly, rankingRows } from './rankings.ts'
import type { RankingScope } from './rankings.ts'
import { ratingRows } from './ratings.ts'
import { scheduleOf, seasonOf } from './seasons.ts'
import type { SeasonFacts } from './seasons.ts'
import type { SeasonKey } from './league-key.ts'

/** The current transaction. */
export interface Writing {
  readonly transaction: Transaction<Schema>
  /** Rows written so far, by table. */
  readonly rows: Record<string, number>
  readonly progress: ((phase: string, done: number, total: number) => void) | undefined
  readonly signal: AbortSignal | undefined
}

export interface SeasonWork {
  readonly scope: RankingScope
  /** The teams' ratings at the start of the season. */
  readonly before: Ratings
  /** Each player's totals; null leaves the players' rows unchanged. */
  readonly players: ReadonlyMap<string, Tally> | null
}

const teamClasses = statisticClasses.filter((kind) => !isPlayerClass(kind))

type Computed<C extends Clearing> = ClearedTable<C> & ComputedTable

/** The tables whose rows `writeSeason` always writes. Those of players it may leave as they are. */
const rewritten: ReadonlySet<Table> = new Set(
  computedTables.filter((table) => !isStatisticClass(table) || !isPlayerClass(table)),
)

const computedWith = <C extends Clearing>(cleared: C) =>
  tablesCleared(cleared).filter((table): table is Computed<C> => rewritten.has(table))

/** Removes the rows that `writeSeason` always computes. */
export async function clearComputed(transaction: Transaction<Schema>, key: SeasonKey): Promise<void> {
  const { organization_id, division_id, season } = key
  const games = transaction
    .selectFrom('game')
    .select('game_id')
    .where('organization_id', '=', organization_id)
    .where('division_id', '=', division_id)
    .where('season', '=', season)
  for (const table of computedWith('game'))
    await transaction.deleteFrom<Computed<'game'>>(table).where('game_id', 'in', games).execute()
  for (const table of computedWith('season'))
    await transaction
      .deleteFrom<Computed<'season'>>(table)
      .where('organization_id', '=', organization_id)
      .where('division_id', '=', division_id)
      .where('season', '=', season)
      .execute()
  await forgetRanked(transaction, key, '', teamClasses)
}

/** Writes everything computed from a season’s facts: ratings, predictions and all statistics. */
export async function writeSeason(writing: Writing, facts: SeasonFacts, work: SeasonWork): Promise<void> {
  const story = chronicle(scheduleOf(facts), work.before)
  const { elo, predictions } = ratingRows(work.scope, facts.games, story)
  await write(writing, 'elo', elo)
  await write(writing, 'prediction', predictions)
  writing.progress?.(`ratings of ${facts.season}`, 1, 1)
  const played = seasonOf(facts, story.forecasts)
  const days = daysOf(played.games)
  let last: TeamDay | undefined
  let done = 0
  for (const day of teamDays(played, days)) {
    const current = ++done === days.length ? 1 : 0
    const numbers = { ...day, players: new Map() }
    await write(
      writing,
      'statistic_ranking',
      await rankingRows('statistic_ranking', work.scope, numbers, current),
    )
    writing.progress?.(`statistics of ${facts.season}`, done, days.length)
    last = day
  }
  if (last) await writeLatest(writing, work, last)
}

async function writeLatest(writing: Writing, { scope, players }: SeasonWork, last: TeamDay): Promise<void> {
  const kinds = latestOnly.filter((kind) => players !== null || !isPlayerClass(kind))
  const numbers = { ...last, players: players ?? new Map<string, Tally>() }
  for (const [index, kind] of kinds.entries()) {
    await write(writing, kind, await rankingRows<typeof kind>(kind, scope, numbers, 1))
    await markRanked(writing.transaction, kind, scope, last.day)
    writing.progress?.(`people and averages of ${scope.season}`, index + 1, kinds.length)
  }
}

async function write<T extends Table>(
  { transaction, signal, rows }: Writing,
  table: T,
  list: Iterable<Schema[T]>,
): Promise<void> {
  signal?.throwIfAborted()
  rows[table] = (rows[table] ?? 0) + (await insertRows(transaction, table, list))
}
