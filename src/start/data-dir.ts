import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from '../config.ts'

/**
 * Makes the first missing folder of `DATA_DIR`. Throws ConfigError if no folder can be made there, as below
 * /proc, where Node's recursive mkdir never ends, or if it is a file. A folder without rights is left to those
 * who write there.
 */
export function checkDataDir(folder: string): void {
  let missing = folder
  while (!existsSync(dirname(missing))) missing = dirname(missing)
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new ConfigError(`DATA_DIR (${folder}) is a file, not a folder.`)
  try {
    if (!existsSync(missing)) mkdirSync(missing)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return // of the file system
    throw new ConfigError(`DATA_DIR (${folder}) cannot be created: ${dirname(missing)} takes no folders.`)
  }
}
