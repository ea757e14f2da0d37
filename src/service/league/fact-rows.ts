import type { Transaction } from 'kysely'
import { forgetNameParts, insertNameParts } from '../store/name-parts.ts'
import { foldNames } from '../store/names.ts'
import type { NamedTable, Schema } from '../store/schema.ts'
import type { Facts, Line } from './facts.ts'
import { insertRows } from './insert.ts'
import type { Table } from './insert.ts'

type Rows = { [T in Table]?: Iterable<Schema[T]> }

const lined = <R extends { line: Line }>({ line, ...row }: R) => ({ ...row, line: JSON.stringify(line) })

function* mapped<A, B>(rows: readonly A[], change: (row: A) => B): Generator<B> {
  for (const row of rows) yield change(row)
}

/** A team's row in the database. Its conference is that of its membership. */
function storedTeam(row: Facts['teams'][number]): Schema['team'] {
  const stored: Partial<typeof row> = { ...row }
  delete stored.conference_id
  // All columns but the deleted one are still there.
  return { ...stored, folded: foldNames(row.name, row.code, row.alt_name) } as Schema['team']
}

const storedPerson = <R extends { first_name: string | null; last_name: string | null }>(row: R) => ({
  ...row,
  folded: foldNames(row.first_name, row.last_name),
})

/** The facts as rows of the database, made one by one as they are written. */
function rowsOf(facts: Facts): Rows {
  return {
    organization: [facts.organization],
    division: [facts.division],
    conference: facts.conferences,
    team: mapped(facts.teams, storedTeam),
    membership: facts.memberships,
    player: mapped(facts.players, storedPerson),
    player_team_season: facts.playerSeasons,
    coach: mapped(facts.coaches, storedPerson),
    coach_season: facts.coachSeasons,
    cbb_transfer_player_season: facts.transfers,
    game: facts.games,
    odds: facts.odds,
    boxscore: mapped(facts.boxscores, lined),
    player_boxscore: mapped(facts.playerBoxscores, lined),
  }
}

/** Writes all facts. @returns how many rows of each table */
export async function writeFacts(
  transaction: Transaction<Schema>,
  facts: Facts,
  onTable: (written: number, tables: number) => void,
): Promise<Record<string, number>> {
  // Object.entries() forgets the keys' names.
  const rows = Object.entries(rowsOf(facts)) as [Table, Iterable<Schema[Table]>][]
  const written: Record<string, number> = {}
  const named = namesOf(facts)
  for (const [kind, list] of named) await forgetNameParts(transaction, kind, list)
  for (const [index, [table, list]] of rows.entries()) {
    written[table] = await insertRows(transaction, table, list)
    onTable(index + 1, rows.length)
  }
  for (const [kind, list] of named) await insertNameParts(transaction, kind, list)
  return written
}

interface Named {
  readonly id: string
  readonly folded: string
}

function namesOf({ teams, players, coaches }: Facts): [NamedTable, Named[]][] {
  const named = <R extends { folded: string }>(rows: Iterable<R>, idOf: (row: R) => string | null) =>
    Array.from(rows, (row) => ({ id: idOf(row) ?? '', folded: row.folded }))
  return [
    ['team', named(mapped(teams, storedTeam), (row) => row.team_id)],
    ['player', named(mapped(players, storedPerson), (row) => row.player_id)],
    ['coach', named(mapped(coaches, storedPerson), (row) => row.coach_id)],
  ]
}
