import { after } from '../rows/freshness.ts'
import type { TableName } from '../specification/tables.ts'
import { call } from './call.ts'
import { AccessDeniedError } from './errors.ts'
import { chunks } from './groups.ts'
import { load, requestsOf } from './load.ts'
import type { Ask, Source } from './load.ts'
import { nameOf, operations } from './operations.ts'
import type { Operation } from './operations.ts'
import type { Request } from './request.ts'
import type { World } from './world.ts'

/** A row wanted by its key. */
export interface RowAsk extends Ask {
  readonly key: string
}

interface Reading {
  /** Reads many rows by their keys. */
  readonly read: Operation
  /** Reads one row, for a key whose plan may not read in bulk; left out where the read takes no ids at all. */
  readonly get?: Operation
}

const readings: Readonly<Partial<Record<TableName, Reading>>> = {
  organization: { read: operations.readOrganizations },
  division: { read: operations.readDivisions },
  game: { read: operations.readGames, get: operations.getGame },
  team: { read: operations.readTeams, get: operations.getTeam },
  player: { read: operations.readPlayers, get: operations.getPlayer },
  coach: { read: operations.readCoaches, get: operations.getCoach },
  conference: { read: operations.readConferences, get: operations.getConference },
  odds: { read: operations.readOdds, get: operations.getOdds },
  elo: { read: operations.readElo, get: operations.getElo },
  boxscore: { read: operations.readBoxscores, get: operations.getBoxscoreById },
  player_boxscore: { read: operations.readPlayerBoxscores, get: operations.getPlayerBoxscore },
  cbb_transfer_player_season: { read: operations.readTransfers, get: operations.getTransfer },
}

/** Whether rows of a table can be read by their keys. */
export const isReadable = (table: TableName) => readings[table] !== undefined

/** The source of a table's rows by key. */
export function rowsOf(table: TableName): Source<RowAsk> {
  let source = sources.get(table)
  if (!source) sources.set(table, (source = { name: table, fill: (world, asks) => fill(world, table, asks) }))
  return source
}

const sources = new Map<TableName, Source<RowAsk>>()

/** Loads a row by its key, unless the columns wanted of it are there, or come meanwhile. */
export async function loadColumns(
  request: Request,
  table: TableName,
  key: string,
  columns: readonly string[],
  field: string,
): Promise<void> {
  const entry = request.world.rows.entry(table, key)
  const isThere = () => columns.every((name) => entry.column(name, request.now) !== undefined)
  if (!isThere()) await load(rowsOf(table), { request, what: key, key, field, isThere })
}

function fill(world: World, table: TableName, asks: readonly RowAsk[]): readonly Promise<void>[] {
  const byKey = new Map<string, [RowAsk, ...RowAsk[]]>()
  for (const ask of asks) {
    const same = byKey.get(ask.key)
    if (same) same.push(ask)
    else byKey.set(ask.key, [ask])
  }
  const flying = (key: string) => `${table} ${key}`
  const missing = [...byKey].filter(([key]) => !world.rowsInFlight.has(flying(key)))
  shareInFlight(
    table,
    asks.filter(({ key, request }) => (world.rowsInFlight.get(flying(key))?.payer ?? request) !== request),
  )
  for (const batch of chunks(missing, world.upstream.settings.batchSize)) {
    const reading = readBatch(world, table, new Map(batch))
    const payer = batch[0]?.[1][0].request
    for (const [key, [{ request }]] of batch) {
      const row = reading(key).finally(() => world.rowsInFlight.delete(flying(key)))
      row.catch(() => {}) // Whoever asked hears of it; nobody else need.
      world.rowsInFlight.set(flying(key), { row, payer: payer ?? request })
    }
  }
  return asks.map((ask) => world.rowsInFlight.get(flying(ask.key))?.row ?? Promise.resolve())
}

/** Notes for each request how many of its rows a call under way for somebody else will bring. */
function shareInFlight(table: TableName, asks: readonly RowAsk[]): void {
  const operation = readings[table]?.read
  if (!operation) return
  for (const request of new Set(asks.map((ask) => ask.request))) {
    const own = asks.filter((ask) => ask.request === request)
    request.share(
      nameOf(operation),
      [`${table}_id`],
      new Set(own.map(({ key }) => key)).size,
      own[0]?.field ?? '',
    )
  }
}

/** Reads one batch, by one call or, for a plan that may not, one by one. Answers for each key on its own. */
function readBatch(
  world: World,
  table: TableName,
  asks: ReadonlyMap<string, readonly [RowAsk, ...RowAsk[]]>,
): (key: string) => Promise<void> {
  const reading = readings[table]
  if (!reading) return async () => {}
  const { read, get } = reading
  const together = world.refusals.has(nameOf(read))
    ? Promise.resolve(false)
    : readTogether(world, table, read, asks)
  return async (key) => {
    if (await together) return
    const group = asks.get(key)
    if (get && group) await readOne(world, table, get, key, group)
  }
}

/** Whether the call was allowed. */
async function readTogether(
  world: World,
  table: TableName,
  operation: Operation,
  asks: ReadonlyMap<string, readonly [RowAsk, ...RowAsk[]]>,
): Promise<boolean> {
  const keys = [...asks.keys()]
  const [first, ...others] = [...asks.values()].flat()
  if (!first) return true
  const values =
    operation.batch && operation.arguments.includes(operation.batch) ? { [operation.batch]: keys } : {}
  try {
    const { keys: found, boughtAt } = await call(world, {
      operation,
      arguments: values,
      requests: requestsOf([first, ...others]),
      field: first.field,
    })
    noteMissing(world, table, keys, found, boughtAt)
    return true
  } catch (error) {
    if (error instanceof AccessDeniedError && readings[table]?.get) return false
    throw error
  }
}

async function readOne(
  world: World,
  table: TableName,
  operation: Operation,
  key: string,
  asks: readonly [RowAsk, ...RowAsk[]],
): Promise<void> {
  const { keys, boughtAt } = await call(world, {
    operation,
    arguments: { [`${table}_id`]: key },
    requests: requestsOf(asks),
    field: asks[0].field,
  })
  noteMissing(world, table, [key], keys, boughtAt)
}

function noteMissing(
  world: World,
  table: TableName,
  asked: readonly string[],
  found: readonly string[],
  boughtAt: number,
): void {
  const there = new Set(found)
  const until = after(boughtAt, world.fresh.freshFor.current)
  for (const key of asked) if (!there.has(key)) world.rows.entry(table, key).putMissing(until)
}
