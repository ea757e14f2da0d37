import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The sources of each committed bundle, by its folder in `public/`. */
export const sources = {
  scoreboard: [
    'codegen/document-texts.ts',
    'examples/scoreboard/index.html',
    'examples/scoreboard/package-lock.json',
    'examples/scoreboard/public',
    'examples/scoreboard/src',
    'examples/scoreboard/vite.config.ts',
    'src/client',
  ],
  graphiql: [
    'graphiql/index.html',
    'graphiql/package-lock.json',
    'graphiql/src',
    'graphiql/vite.config.ts',
    'src/client/events.ts',
    'src/client/pause.ts',
  ],
} as const

/** What lies beside the client's sources and is in no bundle. */
const unbuilt = new Set(['build.mjs', 'dist', 'LICENSE', 'README.md', 'package.json'])

export type Bundle = keyof typeof sources

/** A hash of a bundle's sources. The build writes it beside the bundle, which is stale if the two differ. */
export function fingerprintOf(root: string, bundle: Bundle): string {
  const hash = createHash('sha256')
  for (const file of sources[bundle].flatMap((path) => filesOf(join(root, path))))
    hash.update(readFileSync(file))
  return hash.digest('hex')
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => !unbuilt.has(name))
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)))
}
