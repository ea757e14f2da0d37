import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type LibsqlDatabase from 'libsql'

type Database = InstanceType<typeof LibsqlDatabase>

/**
 * The database of a file that was deleted while it is open: written again with all its content, and opened by
 * `open`. Null if the file is there. Throws if it cannot be written or opened, and may be called again then.
 */
export function rewritten(
  database: Database,
  file: string,
  open: (file: string) => Database,
): Database | null {
  if (database.open) {
    if (existsSync(file)) return null
    mkdirSync(dirname(file), { recursive: true })
    // If the disk is full, a part of it stays. That must not be taken for the whole.
    const part = `${file}.part`
    rmSync(part, { force: true })
    database.prepare('vacuum into ?').run(part)
    // Closing deletes the log by its name, so it comes before the new one is opened.
    database.close()
    renameSync(part, file)
  }
  return open(file)
}
