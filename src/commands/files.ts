import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, normalize, resolve } from 'node:path'
import picomatch from 'picomatch'
import { UsageError } from './usage-error.ts'

/** What may stand in the name of a file or folder, as in `app/(shop)/[team]`, and means nothing in a pattern here. */
const literal = /[()[\]!@+|$^]/g

/**
 * Files that match patterns with `*`, `**`, `?` and `{a,b}`, each once by whatever path, in order. Symbolic
 * links are followed. `node_modules` is not searched. Throws UsageError for a folder that cannot be read, and
 * for a pattern that matches no file: a check would else pass without checking anything.
 */
export function filesOf(patterns: readonly string[]): readonly string[] {
  const byTarget = new Map<string, string>()
  for (const file of patterns.flatMap(matchesOf)) {
    const target = targetOf(file)
    if (!byTarget.has(target)) byTarget.set(target, file)
  }
  return [...byTarget.values()].toSorted()
}

function matchesOf(pattern: string): readonly string[] {
  const files = filesOfOne(pattern)
  if (files.length === 0) throw new UsageError(`No file matches ${pattern}.`)
  return files
}

function filesOfOne(pattern: string): readonly string[] {
  const path = normalize(pattern)
  if (existsSync(path) && statSync(path).isFile()) return [path]
  const escaped = path.replaceAll(literal, '\\$&')
  const folder = picomatch.scan(escaped, { unescape: true }).base || '.'
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  const matches = picomatch(escaped, { dot: true, nonegate: true })
  return walk(folder).filter((file) => matches(file))
}

/** The files in a folder and below. `above`: the folders around it, because a link may lead back to one. */
function walk(folder: string, above: readonly string[] = []): readonly string[] {
  const target = targetOf(folder)
  if (above.includes(target)) return []
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name)
    const kind = kindOf(path)
    if (kind === 'file') return [path]
    return kind === 'other' || name === 'node_modules' ? [] : walk(path, [...above, target])
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw new UsageError(`${folder} cannot be read: ${(error as Error).message}`) // of the file system
  }
}

function kindOf(path: string): 'file' | 'folder' | 'other' {
  try {
    const found = statSync(path)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
  } catch {
    // A link that leads nowhere. If its name matches, reading it is an error.
    return 'file'
  }
}

/** The path without symbolic links; the absolute path if a link leads nowhere. */
function targetOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
