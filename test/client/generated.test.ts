import { resolve } from 'node:path'
import { generate } from '@graphql-codegen/cli'
import { buildSchema, parse, validate } from 'graphql'
import { readdirSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { fingerprintOf, sources } from '../../codegen/fingerprint.ts'
import type { Bundle } from '../../codegen/fingerprint.ts'
import config from '../../codegen.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')

it('keeps the printed schema and the client as the code makes them', async () => {
  // What the package's own types leave open.
  const files: readonly { filename: string; content: string }[] = await generate(config, false)
  expect(files.map(({ filename }) => filename)).toContain('schema/schema.graphql')
  for (const { filename, content } of files)
    expect(`${filename}\n${read(filename)}`).toBe(`${filename}\n${content}`)
})

it('trusts exactly the documents that the hooks send', () => {
  const schema = buildSchema(read('schema/schema.graphql'))
  const manifest = JSON.parse(read('src/client/generated/persisted-documents.json')) as Record<string, string>
  expect(Object.keys(manifest)).toHaveLength(
    readdirSync(resolve(root, 'src/client/operations')).filter((name) => name !== 'fragments.graphql').length,
  )
  for (const [hash, document] of Object.entries(manifest)) {
    expect(`sha256:${createHash('sha256').update(document).digest('hex')}`).toBe(hash)
    expect(validate(schema, parse(document))).toEqual([])
  }
})

it.each(Object.keys(sources) as Bundle[])('serves the %s that its sources make', (bundle) => {
  expect(read(`public/${bundle}/sources.sha256`).trim()).toBe(fingerprintOf(root, bundle))
})
