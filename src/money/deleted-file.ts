import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type LibsqlDatabase from 'libsql'

type Database = InstanceType<typeof LibsqlDatabase>

/**
 * The database of a file that was deleted while it is open: written again with all its content, and opened by
 * `open`. Null if the file is there. Throws if it cannot be written.
 */
export function rewritten(
  database: Database,
  file: string,
  open: (file: string) => Database,
): Database | null {
  if (existsSync(file)) return null
  mkdirSync(dirname(file), { recursive: true })
  database.prepare('vacuum into ?').run(file)
  // Closing deletes the log by its name, so it comes before the new one is opened.
  database.close()
  return open(file)
}
