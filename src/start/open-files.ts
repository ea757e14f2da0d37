import { readdirSync, readFileSync } from 'node:fs'

/** Files that the databases, Redis and pages need beside those that are open at the start. */
const spare = 24

/** The limit of open files in the text of `/proc/self/limits`; null if there is none. */
export function openFilesIn(limits: string): number | null {
  const [, limit] = /^Max open files\s+(\d+)\s/m.exec(limits) ?? []
  return limit === undefined ? null : Number(limit)
}

/** How many files the process may have open, as `ulimit -n` has it; null where the system does not tell. */
export function openFilesLimit(): number | null {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return null
  }
}

export interface OpenFiles {
  readonly limit: number
  /** The connections of clients for which files are left. */
  readonly connections: number
}

/** What the limit of open files leaves beside so many calls; null where the system does not tell. */
export function openFiles(calls: number): OpenFiles | null {
  const limit = openFilesLimit()
  if (limit === null) return null
  const left = limit - readdirSync('/proc/self/fd').length - calls - spare
  return { limit, connections: Math.max(Math.floor(limit / 8), left) }
}

/** A warning if the subscriptions that are allowed have more connections than that; null if they fit. */
export const fewFiles = ({ limit, connections }: OpenFiles, subscriptions: number): string | null =>
  connections < subscriptions
    ? `This process may have ${limit} files open (ulimit -n), which leaves ${connections} connections for clients. ` +
      `MAX_SUBSCRIPTIONS alone allows ${subscriptions}. Raise the limit of open files.`
    : null
