// Makes what is packed: `npm run build` here, which `npm pack` runs too.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
// Made beside, and moved when it is whole: another program may be packing at the same time.
const dist = at(`../../dist/client-${process.pid}`)

mkdirSync(dist, { recursive: true })
execFileSync('tsc', ['-p', at('../../tsconfig.client.json'), '--outDir', dist], { stdio: 'inherit' })
cpSync(at('../../schema/schema.graphql'), join(dist, 'schema.graphql'))
cpSync(at('generated/persisted-documents.json'), join(dist, 'trusted-documents.json'))

// The compiler leaves `.ts` in declarations, which only its newer versions resolve.
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue
  const file = join(dist, name)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}

rmSync(at('dist'), { recursive: true, force: true })
renameSync(dist, at('dist'))
