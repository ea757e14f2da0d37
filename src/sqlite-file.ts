import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import LibsqlDatabase from 'libsql'

type Database = InstanceType<typeof LibsqlDatabase>

/** A file that had data, or whose log has, cannot be read. It has the code of SQLite's own error. */
class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
  readonly code = 'SQLITE_CORRUPT'
}

/**
 * Opens a SQLite file with a write-ahead log, and waits so many milliseconds while another process writes. A missing
 * file is created with what `create` writes. Throws, with the code of a damaged file, where SQLite itself would begin
 * anew and delete the log.
 */
export function openWhole(
  file: string,
  waitMs: number,
  create: (database: Database) => void = () => {},
): Database {
  checkWhole(file)
  if (!existsSync(file)) createWhole(file, create)
  return new LibsqlDatabase(file, { timeout: waitMs })
}

/** Throws if a file is empty, or is missing beside its log, or if its log is none. */
export function checkWhole(file: string): void {
  const [size, logged] = [sizeOf(file), sizeOf(`${file}-wal`) ?? 0]
  if (size === 0) throw new DamagedFileError('it is empty')
  if (size === undefined && logged > 0) throw new DamagedFileError('it is missing, but its log is there')
  if (logged > 0 && !isLog(`${file}-wal`)) throw new DamagedFileError('its log is damaged')
}

/** Throws if a file that is created with tables has none: they were in its log, which is missing. */
export function checkTables(database: Database): void {
  const table = database.prepare('select 1 from sqlite_master limit 1').get()
  if (table === undefined) throw new DamagedFileError('its log is missing')
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size

/** Whether a file begins as a write-ahead log does (SQLite's file format, section 4.1). */
function isLog(file: string): boolean {
  const opened = openSync(file, 'r')
  try {
    const magic = Buffer.alloc(4)
    readSync(opened, magic, 0, 4, 0)
    return magic.readUInt32BE() >>> 1 === 0x377f0682 >>> 1
  } finally {
    closeSync(opened)
  }
}

/** Creates a file that is never seen empty, so that an empty one is known to be damaged. */
function createWhole(file: string, create: (database: Database) => void): void {
  const part = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const database = new LibsqlDatabase(part)
    try {
      database.exec('pragma journal_mode = wal')
      create(database)
      database.exec('pragma wal_checkpoint(truncate)')
    } finally {
      database.close()
    }
    put(part, file)
  } finally {
    for (const rest of ['', '-wal', '-shm']) rmSync(part + rest, { force: true })
  }
}

/** Gives a file its name, unless another process was first. */
function put(part: string, file: string): void {
  try {
    linkSync(part, file)
  } catch {
    // It has the name already, or the file system has no links.
    if (!existsSync(file)) renameSync(part, file)
  }
}

/**
 * Renames a damaged file and its log, so that nothing is written there any more. Returns the new name of the file.
 * Throws an error of the file system.
 */
export function keepAside(file: string): string {
  const parts = ['', '-wal', '-shm']
  const nameOf = (nth: number) => `${file}.damaged-${nth}`
  let nth = 1
  while (parts.some((part) => existsSync(nameOf(nth) + part))) nth += 1
  for (const part of parts) if (existsSync(file + part)) renameSync(file + part, nameOf(nth) + part)
  return nameOf(nth)
}
