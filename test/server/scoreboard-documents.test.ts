import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as generated from '../../src/client/generated/graphql.ts'
import { Client } from '../../src/client/index.ts'
import { nameOf, textOf } from '../../src/client/document.ts'
import { createApp } from '../../src/server/app.ts'
import { readDocuments } from '../../src/server/documents.ts'
import { basketball, season, startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const { LeaguesDocument, LiveScoresDocument, ScoreboardDocument } = generated

const date = '2026-02-14'
const id = '00000000-0000-4000-8000-000000000001'
const days = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`day${at + 1}`, `2026-02-1${at}`]))

/** A value for every variable that one of the documents requires. */
const required: Readonly<Record<string, unknown>> = {
  teamId: id,
  gameId: id,
  playerId: id,
  conferenceId: id,
  first: id,
  second: id,
  ids: [id],
  date,
  season,
  ...days,
  subject: 'TEAM',
  orderBy: 'points',
  names: ['points'],
  side: 'HOME',
  name: 'Dunm',
  groups: ['TEAMS'],
}

/** The queries that the scoreboard and the hooks send: all documents but the subscription. */
const queries = Object.entries(generated).flatMap(([name, document]) =>
  name.endsWith('Document') && document !== LiveScoresDocument ? [document as typeof ScoreboardDocument] : [],
) // of any type: what it asks for is in its text

/** The value for each variable that a document requires. */
const variablesOf = (document: object) =>
  Object.fromEntries(
    [...textOf(document).matchAll(/\$(\w+):[^$=]*!(?!\])(?=[,) ])/g)].map(([, name = '']) => [
      name,
      required[name],
    ]),
  )

/**
 * A server that answers the scoreboard's documents alone, asked by the client of the scoreboard's pages. Dry runs cost
 * nothing.
 */
function scoreboardAlone(trusted: boolean, isDry: boolean) {
  const { upstream, calls } = sample.graph()
  const documents = readDocuments(null, true)
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, documents })
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { extensions, ...body } = JSON.parse(String(init?.body)) as { readonly extensions?: object }
    const asked = isDry ? { ...extensions, explain: 'dry' } : extensions
    return app.fetch(String(url), {
      method: 'POST',
      headers: new Headers(init?.headers),
      body: JSON.stringify({ ...body, extensions: asked }),
    })
  }
  const client = new Client({ url: 'http://statline.test/graphql', fetch, trusted })
  return { app, calls, client }
}

describe.each([
  ['by their hash', true],
  ['by their text', false],
])('TRUSTED_DOCUMENTS_ONLY without a manifest of one’s own: documents that are sent %s', (_how, trusted) => {
  test('are answered if the scoreboard sends them, each of them', async () => {
    const { client, calls } = scoreboardAlone(trusted, true)
    expect(queries).toHaveLength(34)
    for (const document of queries) {
      const { errors } = await client.query(document, variablesOf(document))
      expect(errors, nameOf(document)).toEqual([])
    }
    const events = client.subscribe(LiveScoresDocument, {})
    const { value: event } = await events.next()
    await events.return()
    expect(event).toMatchObject({ errors: [] })
    expect(calls.take()).toEqual([])
  })

  test('are paid for as always', async () => {
    const { client, calls } = scoreboardAlone(trusted, false)
    const { data, errors } = await client.query(LeaguesDocument, {})
    expect(errors).toEqual([])
    expect(data?.divisions?.length).toBeGreaterThan(1)
    expect(calls.take()).toEqual(['division/read 1', 'organization/read 1'])
    const events = client.subscribe(LiveScoresDocument, { date })
    const { value: event } = await events.next()
    await events.return()
    expect(event).toMatchObject({ data: { scores: { gameId: expect.any(String) } }, errors: [] })
    expect(calls.take()).toContain('game/getScores 1')
  })
})

test('with TRUSTED_DOCUMENTS_ONLY and no manifest of one’s own, every other document is refused for nothing', async () => {
  const { app, calls } = scoreboardAlone(true, false)
  const ask = async (body: object) => {
    const answer = await app.fetch('http://statline.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as object
  }
  const refused = { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }
  expect(await ask({ query: '{ organizations { name } }' })).toMatchObject(refused)
  expect(await ask({ query: 'subscription { scores { clock } }' })).toMatchObject(refused)
  expect(await ask({ documentId: 'a'.repeat(64) })).toMatchObject(refused)
  expect(calls.take()).toEqual([])
})

test('TRUSTED_DOCUMENTS_ONLY without a manifest and without a scoreboard says what is missing', () => {
  expect(() => readDocuments(null, true, new Map())).toThrow(
    /^TRUSTED_DOCUMENTS_ONLY needs a manifest, .*: set TRUSTED_DOCUMENTS to its file\.$/,
  )
  expect(readDocuments(null, false, new Map())).toEqual({ trusted: new Map(), trustedOnly: false })
})
