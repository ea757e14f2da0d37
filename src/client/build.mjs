// Makes what is packed: `npm run build` here, which `npm pack` runs too.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
// Made beside, and moved when it is whole.
const dist = at(`../../dist/client-${process.pid}`)

mkdirSync(dist, { recursive: true })
execFileSync('tsc', ['-p', at('../../tsconfig.client.json'), '--outDir', dist], { stdio: 'inherit' })
cpSync(at('../../schema/schema.graphql'), join(dist, 'schema.graphql'))
cpSync(at('generated/persisted-documents.json'), join(dist, 'trusted-documents.json'))

// The package has no dependencies: the parser of event streams becomes a part of it, with its licence.
const parser = 'eventsource-parser'
const events = await rolldown({ cwd: dist, input: './events.js', external: /^\.\/(?!events)/ })
await events.write({ file: join(dist, 'events.js') })
cpSync(join(fileURLToPath(import.meta.resolve(parser)), '../../LICENSE'), join(dist, `${parser}.LICENSE`))

// The compiler leaves `.ts` in declarations, which only its newer versions resolve.
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue
  const file = join(dist, name)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}

/** A hash of the names and contents of all files of a folder. */
function hashOf(folder) {
  const hash = createHash('sha256')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const file of files.toSorted())
    hash
      .update(`${relative(folder, file)}\n`)
      .update(readFileSync(file))
      .update('\n')
  return hash.digest('hex')
}

// What is the same stays where it is: another program may be packing it.
if (existsSync(at('dist')) && hashOf(dist) === hashOf(at('dist'))) rmSync(dist, { recursive: true })
else {
  rmSync(at('dist'), { recursive: true, force: true })
  renameSync(dist, at('dist'))
}
