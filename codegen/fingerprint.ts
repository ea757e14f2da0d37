import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What each committed bundle is built from, by the folder of `public/` that it lies in. */
export const sources = {
  scoreboard: [
    'examples/scoreboard/index.html',
    'examples/scoreboard/package-lock.json',
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
  ],
} as const

export type Bundle = keyof typeof sources

/** A hash of all that a bundle is built from: it is current while this is what its build wrote beside it. */
export function fingerprintOf(root: string, bundle: Bundle): string {
  const hash = createHash('sha256')
  for (const file of sources[bundle].flatMap((path) => filesOf(join(root, path))))
    hash.update(readFileSync(file))
  return hash.digest('hex')
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)))
}
