import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { onPorts } from './ports.ts'

let sample: Sample
const listening = onPorts()
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const query = '{ __typename }'
const types = ['application/graphql-response+json', 'application/json'] as const

interface Case {
  readonly body: { readonly query: string } & Readonly<Record<string, unknown>>
  readonly type?: string
  /** With each media type of the answer. */
  readonly statuses: readonly [newer: number, older: number]
  /** The data, or the code of the only error. */
  readonly answer: object | string
  readonly calls?: readonly string[]
}

const typename = { __typename: 'Query' }
const unresolved = { statuses: [422, 200], answer: 'OPERATION_RESOLUTION_FAILURE' } as const
const nullCondition = { statuses: [422, 200], answer: 'BAD_USER_INPUT' } as const
const ifX = (fields: string) => ({
  query: `query ($x: Boolean = true) { ${fields} }`,
  variables: { x: null },
})
const search = 'query ($n: String!) { league { search(name: $n) { teams { name } } } }'

const cases: Readonly<Record<string, Case>> = {
  'an empty name of an operation': { body: { query, operationName: '' }, ...unresolved },
  'an empty name where the operation has one': {
    body: { query: 'query A { __typename }', operationName: '' },
    ...unresolved,
  },
  'the name of another operation': { body: { query, operationName: 'B' }, ...unresolved },
  'no name where there are two operations': {
    body: { query: `query A ${query} query B ${query}` },
    ...unresolved,
  },
  'an unknown member of the body': {
    body: { id: 'x', query, extra: { a: 1 } },
    statuses: [200, 200],
    answer: typename,
  },
  'a content type in other letters': {
    body: { query },
    type: 'Application/JSON; Charset=UTF-8',
    statuses: [200, 200],
    answer: typename,
  },
  'null as condition of a field of the query': {
    body: ifX('a: __typename @include(if: $x)'),
    ...nullCondition,
  },
  'null as condition of a column': {
    body: ifX('organizations { code name @skip(if: $x) }'),
    ...nullCondition,
  },
  'null as condition of a relation': {
    body: ifX('league { games(date: "2026-02-12") { homeScore homeTeam @include(if: $x) { name } } }'),
    ...nullCondition,
  },
  'null as condition of a fragment': {
    body: ifX('... on Query @include(if: $x) { __typename }'),
    ...nullCondition,
  },
  'null as condition within a fragment': {
    body: {
      query:
        'query ($x: Boolean = true) { ...Names } fragment Names on Query { a: __typename @skip(if: $x) }',
      variables: { x: null },
    },
    ...nullCondition,
  },
  'no value of a condition with a default': {
    body: { query: 'query ($x: Boolean = true) { a: __typename @skip(if: $x) __typename }' },
    statuses: [200, 200],
    answer: typename,
  },
  'null for a variable that is another operation’s condition': {
    body: {
      query: `query A($x: Boolean) { organizations(active: $x) { code } }
        query B($x: Boolean = true) { ...C } fragment C on Query { __typename @include(if: $x) }`,
      variables: { x: null },
      operationName: 'A',
    },
    statuses: [200, 200],
    answer: { organizations: [{ code: 'cfb' }, { code: 'cbb' }, { code: 'barn' }] },
    calls: ['organization/read 1'],
  },
  'a variable that does not fit': {
    body: { query: search, variables: { n: 1 } },
    statuses: [422, 200],
    answer: 'BAD_USER_INPUT',
  },
  'a document that is not valid': {
    body: { query: '{ nothing }' },
    statuses: [422, 200],
    answer: 'GRAPHQL_VALIDATION_FAILED',
  },
  'a document that is too deep': {
    body: { query: `{ ${'organizations { '.repeat(21)} name ${'}'.repeat(21)} }` },
    statuses: [422, 200],
    answer: 'BAD_USER_INPUT',
  },
  'a document that cannot be parsed': {
    body: { query: '{' },
    statuses: [400, 200],
    answer: 'GRAPHQL_PARSE_FAILED',
  },
}

/** Every document that the cases have, each in a request that is answered. */
const warming = [
  { query },
  { query: 'query A { __typename }' },
  { query: `query A ${query} query B ${query}`, operationName: 'B' },
  ...Object.values(cases)
    .filter(({ body }) => body['variables'] !== undefined && body['operationName'] === undefined)
    .map(({ body }) => ({ query: body.query, variables: { x: false, n: 'nobody' } })),
]

test.each(Object.entries(cases))(
  '%s is answered alike the first time, again, and after its document is known',
  async (_what, { body, type = 'application/json', statuses, answer, calls = [] }) => {
    for (const [nth, accept] of types.entries()) {
      const graph = sample.graph()
      const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball })
      const url = `${await listening(app)}/graphql`
      const ask = async (sent: object, contentType = 'application/json') => {
        const headers = { 'content-type': contentType, accept }
        const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(sent) })
        const told = (await response.json()) as Answer
        return { status: response.status, answer: told.errors?.[0]?.extensions.code ?? told.data, told }
      }
      const same: unknown[] = []
      const bill: string[] = []
      for (let time = 0; time < 5; time += 1) {
        const { status, answer: given, told } = await ask(body, type)
        same.push({ status, answer: given })
        expect('data' in told).toBe(typeof answer === 'object')
        bill.push(...graph.calls.take())
        if (time === 1) for (const plain of warming) await ask(plain)
        graph.calls.take()
      }
      expect(same).toEqual(Array.from({ length: 5 }, () => ({ status: statuses[nth], answer })))
      expect(bill).toEqual(calls)
    }
  },
)

interface Answer {
  readonly data?: object
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
}
