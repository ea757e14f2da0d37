import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import SchemaBuilder from '@pothos/core'
import { parse } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as RequestModule from '../../src/account/client-request.ts'
import type * as BudgetModule from '../../src/graph/execution/budget.ts'
import type * as DocumentModule from '../../src/graph/execution/document.ts'
import type * as ExecuteModule from '../../src/graph/execution/execute.ts'
import type * as FillsModule from '../../src/loaders/fills.ts'
import type * as UpstreamModule from '../../src/account/upstream.ts'
import type { Transport } from '../../src/wire/transport.ts'

/** Within the repository, so that the copy finds the packages. */
const copy = join(import.meta.dirname, '../../.statline/added-table')

/** What the service's specification would say of one more table. */
const table = `
const venue = { venue_id: key('Identifies the venue.'), name: text('Its name.'), team_id, deleted }

export const tables = {
  venue,`
const operation = `export const operations = {
  readVenues: read('venue'),
  venuesOf: {
    class: 'team', function: 'getVenues', arguments: ['team_id'], yields: 'venue', answer: 'rows', rowBytes: bytesOf('venue'),
  },`

/** The one file that is written for it. */
const type = `
import { builder } from '../graph/builder.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { relation } from '../graph/relation.ts'
import { defineLookup } from '../graph/roots.ts'
import { defineTable } from '../graph/table.ts'
import { answerAt, answers } from '../loaders/answers.ts'
import { operations } from '../specification/operations.ts'
import { team } from './team.ts'

const venue = defineTable('venue', 'Venue', { description: 'Where games are played.', node: true })

defineLookup('venue', 'venue')

builder.objectField(team, 'venues', (t) =>
  t.field({
    type: [venue],
    nullable: { list: true, items: false },
    description: 'The team’s venues. Costs one call for each team.',
    ...relation({
      needs: { into: { link: 'venues' } },
      loader: answers,
      operation: operations.venuesOf,
      place: ({ entry, scope }: Handle) =>
        answerAt(entry, { operation: operations.venuesOf, arguments: { team_id: entry.key } }, scope),
      answer: (keys, { scope }, { clientRequest }) => keys && handles(clientRequest, 'venue', keys, scope),
    }),
  }),
)
`

async function change(file: string, before: string, after: string): Promise<void> {
  const path = join(copy, file)
  const text = await readFile(path, 'utf8')
  expect(text).toContain(before)
  await writeFile(path, text.replace(before, after))
}

let schema: GraphQLSchema
let request: typeof RequestModule
let upstreamModule: typeof UpstreamModule
let budget: typeof BudgetModule
let documents: typeof DocumentModule
let execution: typeof ExecuteModule
let fillsModule: typeof FillsModule

beforeAll(async () => {
  await rm(copy, { recursive: true, force: true })
  await mkdir(copy, { recursive: true })
  await cp(join(import.meta.dirname, '../../src'), copy, {
    recursive: true,
    filter: (path) => !/src\/(service|client|server)(\/|$)/.test(path),
  })
  await change('specification/tables.ts', '\nexport const tables = {', table)
  await change('specification/operations.ts', 'export const operations = {', operation)
  await change('rows/row-age.ts', '  coach: reference,', '  coach: reference,\n  venue: reference,')
  await change(
    'loaders/fills.ts',
    'export const fills: Fills = {',
    "export const fills: Fills = {\n  readVenues: null,\n  venuesOf: answerFilling('team'),",
  )
  await writeFile(join(copy, 'types/venue.ts'), type)
  await change('schema.ts', "import './types/node.ts'", "import './types/venue.ts'\nimport './types/node.ts'")
  // The copy registers the plugins of the original once more.
  SchemaBuilder.allowPluginReRegistration = true
  const load = (file: string) => import(/* @vite-ignore */ join(copy, file)) as Promise<unknown>
  ;({ schema } = (await load('schema.ts')) as { schema: GraphQLSchema }) // a copy of src/schema.ts
  request = (await load('account/client-request.ts')) as typeof RequestModule // likewise
  upstreamModule = (await load('account/upstream.ts')) as typeof UpstreamModule // likewise
  budget = (await load('graph/execution/budget.ts')) as typeof BudgetModule // likewise
  documents = (await load('graph/execution/document.ts')) as typeof DocumentModule // likewise
  fillsModule = (await load('loaders/fills.ts')) as typeof FillsModule // likewise
  execution = (await load('graph/execution/execute.ts')) as typeof ExecuteModule // likewise
})
afterAll(() => rm(copy, { recursive: true, force: true }))

const [team, one, two] = ['a', 'b', 'c'].map((letter) => letter.repeat(8) + '-0000-4000-8000-000000000000')

/** A service that knows two venues, and what it was called for. */
function service() {
  const calls: string[] = []
  const rows = {
    [String(one)]: { venue_id: one, name: 'North', team_id: team, deleted: 0 },
    [String(two)]: { venue_id: two, name: 'South', team_id: team, deleted: 0 },
  }
  const transport: Transport = async ({ path, operation }) => {
    calls.push(path)
    const body = operation.class === 'team' ? rows : { [String(one)]: rows[String(one)] }
    return { status: 200, headers: { 'x-request-usage': '1' }, body: JSON.stringify(body), bytes: 100 }
  }
  return { calls, transport }
}

async function ask(source: string, transport: Transport) {
  const upstream = new upstreamModule.Upstream({
    transport,
    fills: fillsModule.fills,
    monthlyTokenBudget: null,
    timeoutMs: 60_000,
    batchSize: 100,
    concurrency: 8,
    clock: Date.now,
  })
  const client = new request.ClientRequest(upstream.accountOf('key'))
  const query = documents.compiledQuery(schema, parse(source))
  const variables = query?.variables({}).coerced
  if (!query || !variables) throw new Error('The document is not valid.')
  const context = { clientRequest: client, defaults: {}, budget: new budget.ExecutionBudget() }
  const answer = await execution.executeQuery({ schema, query, variables, context })
  expect(answer.errors).toBeUndefined()
  return JSON.parse((await answer.bytes()).toString()) as unknown
}

test('a table is one type file and one line of the schema: its rows are read by their keys', async () => {
  const { calls, transport } = service()
  const data = await ask(`{ venue(id: "${one}") { venueId name team { teamId } } }`, transport)
  expect(data).toEqual({ venue: { venueId: one, name: 'North', team: { teamId: team } } })
  expect(calls).toEqual([`/venue/read?venue_id=${one}`])
})

test('its relation costs the call that it declares, and no other', async () => {
  const { calls, transport } = service()
  const data = await ask(`{ team(id: "${team}") { venues { name } } }`, transport)
  expect(data).toEqual({ team: { venues: [{ name: 'North' }, { name: 'South' }] } })
  expect(calls).toEqual([`/team/getVenues?team_id=${team}`])
})
