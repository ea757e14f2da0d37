import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type LibsqlDatabase from 'libsql'
import { checkTables, openWhole } from '../../sqlite-file.ts'
import { noteFile } from './deleted-file.ts'
import { usualWaits } from './sqlite.ts'

/** The name of a ledger's file in its folder. */
export const LEDGER_FILE = 'ledger.sqlite'

const schema = `
  create table if not exists meta (name text primary key, value text not null) without rowid;
  create table if not exists spending (
    day text not null, hour text not null, key text not null, client text not null, operation text not null,
    service text not null, tokens real not null, estimated real not null, bytes integer not null, calls integer not null,
    primary key (day, hour, key, client, operation, service)
  ) without rowid;
  create table if not exists opened (
    id text primary key, day text not null, hour text not null, key text not null, client text not null,
    operation text not null, service text not null, tokens real not null, estimated real not null, bytes integer not null, calls integer not null
  ) without rowid;
`

/** The table of earlier versions, which had days and no hours. */
const addHours = `
  begin immediate;
  alter table spending rename to spending_of_days;
  alter table opened rename to opened_of_days;
  ${schema}
  insert into spending select day, '', key, client, operation, service, tokens, estimated, bytes, calls from spending_of_days;
  insert into opened select id, day, '', key, client, operation, service, tokens, estimated, bytes, calls from opened_of_days;
  drop table spending_of_days;
  drop table opened_of_days;
  commit;
`

const hasNoHours = (database: Database): boolean => {
  const names = database.prepare(`select name from pragma_table_info('spending')`).all() as { name: string }[]
  return names.length > 0 && !names.some(({ name }) => name === 'hour')
}

/** The columns of a spending. */
export const columns = 'day, hour, key, client, operation, service, tokens, estimated, bytes, calls'

const summed = ['tokens', 'estimated', 'bytes', 'calls'].map((name) => `${name} = ${name} + excluded.${name}`)

/** The ids of a process are its name, a space and a number. */
const isOfProcess = `id >= @process || ' ' and id < @process || '!'`

export type Database = InstanceType<typeof LibsqlDatabase>

/**
 * Opens a ledger's file, which is created if it is not there, and waits so many milliseconds while another
 * process writes. Throws if it cannot be opened.
 */
export function openedAt(file: string, waitMs = usualWaits.busyMs): Database {
  mkdirSync(dirname(file), { recursive: true })
  const database = openWhole(file, waitMs, (created) => created.exec(schema))
  try {
    chmodSync(file, 0o600)
    checkTables(database)
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = normal')
    if (hasNoHours(database)) database.exec(addHours)
    database.exec(schema)
    noteFile(database, file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** All statements on a ledger. */
export const statementsOf = (database: Database) => ({
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  rollback: database.prepare('rollback'),
  open: database.prepare(`insert into opened (id, ${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
  close: database.prepare('delete from opened where id = ?'),
  add: database.prepare(
    `insert into spending (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set ${summed.join(', ')}`,
  ),
  // "where true" tells the parser that "on" does not begin a join condition.
  bookOpen: database.prepare(
    `insert into spending (${columns}) select ${columns} from opened where true on conflict do update set ${summed.join(', ')}`,
  ),
  dropOpen: database.prepare('delete from opened'),
  bookLeft: database.prepare(
    `insert into spending (${columns}) select ${columns} from opened where ${isOfProcess} on conflict do update set ${summed.join(', ')}`,
  ),
  dropLeft: database.prepare(`delete from opened where ${isOfProcess}`),
  left: database.prepare(`select 1 from opened where ${isOfProcess} limit 1`),
  joinHours: database.prepare(
    `insert into spending (${columns})
     select day, '', key, client, operation, service, sum(tokens), sum(estimated), sum(bytes), sum(calls) from spending
     where day < ? and hour <> '' group by day, key, client, operation, service on conflict do update set ${summed.join(', ')}`,
  ),
  dropHours: database.prepare(`delete from spending where day < ? and hour <> ''`),
  dropOld: database.prepare('delete from spending where day < ?'),
  newest: database.prepare('select max(day) as day from spending'),
  between: database.prepare(
    `select ${columns} from spending where day >= ? and day <= ? and (tokens <> 0 or bytes <> 0 or calls <> 0)`,
  ),
  withOpen: database.prepare(
    `select ${columns} from spending where day >= @from and day <= @to
     union all select ${columns} from opened where day >= @from and day <= @to`,
  ),
  version: database.prepare('pragma data_version'),
  putSecret: database.prepare(`insert into meta (name, value) values ('secret', ?) on conflict do nothing`),
  secret: database.prepare(`select value from meta where name = 'secret'`),
})
