import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const entry = (name: string) => resolve(import.meta.dirname, '../../src/client', name)

/** Bytes, minified and packed, of a page’s module that uses `names` of the package, without React. */
async function sizeOf(names: Readonly<Record<string, string>>): Promise<number> {
  const page = Object.entries(names).map(
    ([file, used]) => `export { ${used} } from ${JSON.stringify(entry(file))}`,
  )
  const bundle = await rolldown({
    input: 'page',
    external: ['react'],
    onLog: () => {}, // that 'use client' means nothing in one bundle
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? id : null),
        load: (id) => (id === 'page' ? page.join('\n') : null),
      },
    ],
  })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  return gzipSync(output[0].code, { level: 9 }).length
}

const hooks = 'StatlineProvider, Hydrate, useClient, useDocument, useSuspenseDocument, useLive'
const core =
  'Client, readFragment, hashOf, NoAnswerError, UnreachableError, OverloadedError, NotGraphQLError, QueryError, AccessError, BudgetError, ServiceError'

it('the client with React’s hooks, without documents, is at most 8 kB', async () => {
  const size = await sizeOf({ 'index.ts': core, 'react.ts': hooks })
  expect(size).toBeGreaterThan(2_000)
  expect(size).toBeLessThanOrEqual(8_192)
})

it('a page pays for the documents that it uses, and for no others', async () => {
  const without = await sizeOf({ 'react.ts': 'StatlineProvider, useDocument' })
  const one = await sizeOf({ 'react.ts': 'StatlineProvider, useOddsMovement' })
  const other = await sizeOf({ 'react.ts': 'StatlineProvider, useMatchup' })
  expect(one - without).toBeLessThan(1_000)
  expect(other).toBeGreaterThan(one)
})
