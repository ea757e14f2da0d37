import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import { UsageError } from './usage-error.ts'

/**
 * Files that match patterns with `*`, `**`, `?` and `{a,b}`, each once, in order. `node_modules` is not
 * searched. Throws UsageError for a pattern that matches none: a check would else pass without checking
 * anything.
 */
export function filesOf(patterns: readonly string[]): readonly string[] {
  return [...new Set(patterns.flatMap(matchesOf))].toSorted()
}

function matchesOf(pattern: string): readonly string[] {
  const files = filesOfOne(pattern)
  if (files.length === 0) throw new UsageError(`No file matches ${pattern}.`)
  return files
}

function filesOfOne(pattern: string): readonly string[] {
  const path = normalize(pattern)
  if (existsSync(path) && statSync(path).isFile()) return [path]
  const parts = path.split(sep)
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => /[*?{]/.test(part)),
  )
  const folder = fixed.join(sep) || (path.startsWith(sep) ? sep : '.')
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  const matches = expressionOf(path)
  return walk(folder).filter((file) => matches.test(normalize(file)))
}

function walk(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name)
    if (one.isDirectory()) return one.name === 'node_modules' ? [] : walk(path)
    return one.isFile() ? [path] : []
  })
}

/** `**` with the slash after it matches any number of folders, also none. */
const expressionOf = (pattern: string) => new RegExp(`^${sourceOf(pattern)}$`)

const sourceOf = (pattern: string): string =>
  pattern.replaceAll(/\*\*\/|\*\*|\{[^{}]*\}|[*?.+^$()|[\]\\{}]/g, (part) => {
    if (part.length > 1 && part.startsWith('{'))
      return `(?:${part.slice(1, -1).split(',').map(sourceOf).join('|')})`
    return expressions[part] ?? `\\${part}`
  })

const expressions: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}
