import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'

/**
 * Files that match patterns with `*`, `**`, `?` and `{a,b}`, each once, in order. `node_modules` is not
 * searched.
 */
export function filesOf(patterns: readonly string[]): readonly string[] {
  return [...new Set(patterns.flatMap(filesOfOne))].toSorted()
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
  if (!existsSync(folder)) return []
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
function expressionOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*\/|\*\*|\{[^}]*\}|[*?.+^$()|[\]\\{}]/g, (part) => {
    if (part.length > 2 && part.startsWith('{')) return `(?:${part.slice(1, -1).replaceAll(',', '|')})`
    return expressions[part] ?? `\\${part}`
  })
  return new RegExp(`^${source}$`)
}

const expressions: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}
