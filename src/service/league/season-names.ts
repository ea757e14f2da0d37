import type { Transaction } from 'kysely'
import { namedTables } from '../store/schema.ts'
import type { SeasonName } from '../store/own-tables.ts'
import type { NamedTable, Schema } from '../store/schema.ts'
import { storedTables } from '../store/tables.ts'
import type { Participants } from './clear.ts'
import type { Facts } from './facts.ts'
import { insertRows } from './insert.ts'
import type { LeagueKey } from './league-key.ts'

type Tx = Transaction<Schema>

type ListOf<K extends NamedTable> = (typeof storedTables)[K]['facts']

type Named = Pick<Facts, ListOf<NamedTable>>

const listOf = (kind: NamedTable) => storedTables[kind].facts

const namesIn = (facts: Named, kind: NamedTable) =>
  new Map(facts[listOf(kind)].map((row) => [idOf(kind, row), row]))

// Every named table has its key in the column of this name.
const idOf = (kind: NamedTable, row: object) =>
  String((row as Readonly<Record<string, unknown>>)[`${kind}_id`])

/** Remembers what a season calls its teams and people. */
export async function keepNames(
  transaction: Tx,
  league: LeagueKey,
  facts: Named,
  season: number,
): Promise<void> {
  const { organization_id, division_id } = league
  for (const kind of namedTables) {
    const rows = Array.from(namesIn(facts, kind), ([id, row]): SeasonName => {
      return { kind, id, season, organization_id, division_id, facts: JSON.stringify(row) }
    })
    await insertRows(transaction, 'season_name', rows)
  }
}

/**
 * The facts, with those who have left the seasons in them as the latest season that still has them calls
 * them: one row serves all seasons.
 */
export async function withFormer<F extends Named>(
  transaction: Tx,
  facts: F,
  participants: Participants,
): Promise<F> {
  const former = async <K extends NamedTable>(kind: K): Promise<Named[ListOf<K>]> => {
    const present = namesIn(facts, kind)
    const left = participants[kind].filter((id) => !present.has(id))
    const found = await latestNames(transaction, kind, left)
    // Rows of this kind, as `keepNames` has written them.
    return [...facts[listOf(kind)], ...found] as unknown as Named[ListOf<K>]
  }
  return {
    ...facts,
    teams: await former('team'),
    players: await former('player'),
    coaches: await former('coach'),
  }
}

const idsAStatement = 500

async function latestNames(transaction: Tx, kind: NamedTable, ids: readonly string[]): Promise<unknown[]> {
  const latest = new Map<string, string>()
  for (let next = 0; next < ids.length; next += idsAStatement) {
    const rows = await transaction
      .selectFrom('season_name')
      .select(['id', 'facts'])
      .where('kind', '=', kind)
      .where('id', 'in', ids.slice(next, next + idsAStatement))
      .orderBy('season')
      .execute()
    for (const { id, facts } of rows) latest.set(id, facts)
  }
  return [...latest.values()].map((text): unknown => JSON.parse(text))
}
