import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type LibsqlDatabase from 'libsql'

type Database = InstanceType<typeof LibsqlDatabase>

/** The number of the file that a database was opened from. */
const fileOf = new WeakMap<Database, number>()

/**
 * Databases whose file was deleted. They stay open: to close one deletes the log by its name, which may be that of
 * the file in its place.
 */
const abandoned = new Set<Database>()

/** Notes which file a database was opened from. */
export function noteFile(database: Database, file: string): void {
  fileOf.set(database, statSync(file).ino)
}

/**
 * The database of a file that was deleted while it is open: written again with all its content, and opened by
 * `open`. If another process has written it again, that file is opened. Null if the file is the one that the
 * database was opened from (`noteFile`). Throws if it cannot be written or opened, and may be called again then.
 */
export function rewritten(
  database: Database,
  file: string,
  open: (file: string) => Database,
): Database | null {
  if (!abandoned.has(database)) {
    const found = numberOf(file)
    if (found !== undefined && found === fileOf.get(database)) return null
    if (found === undefined) writeAgain(database, file)
    abandoned.add(database)
  }
  return open(file)
}

/** Closes a database, unless its file was deleted. */
export function closeKept(database: Database, file: string): void {
  if (numberOf(file) === fileOf.get(database)) database.close()
  else abandoned.add(database)
}

const numberOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino

function writeAgain(database: Database, file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  // If the disk is full, a part of it stays. That must not be taken for the whole.
  const part = `${file}.${process.pid}.part`
  rmSync(part, { force: true })
  try {
    database.prepare('vacuum into ?').run(part)
    // Another process may have been first.
    if (numberOf(file) !== undefined) return
    // The log of the deleted file would be taken for that of the new one.
    for (const log of ['-wal', '-shm']) rmSync(file + log, { force: true })
    renameSync(part, file)
  } finally {
    rmSync(part, { force: true })
  }
}
