import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultExecutionLimits } from '../../src/graph/execution/budget.ts'
import { basketball, season, startSample, teamsOfToday, today } from '../graph/harness.ts'
import type { Answer, Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'
import { startFront } from '../walk/front.ts'
import type { Front } from '../walk/front.ts'
import { hostileDocuments } from './documents.ts'
import type { Hostile } from './documents.ts'
import { doors } from './doors.ts'
import { startStatline } from './statline.ts'
import type { Statline } from './statline.ts'

/** The seed of the documents. Every assertion holds for each. */
const seed = Number(process.env['HOSTILE_SEED'] ?? 1)

/** So long that no outcome depends on how fast the machine is. */
const patient = { MAX_EXECUTION_MS: '600000', UPSTREAM_TIMEOUT_MS: '600000' }

/** What a kind of document may come to through its doors, and the calls that all of them cost together. */
type Outcome = readonly [ends: string, calls: number]

/** In the order in which they are sent: what one has bought, the next ones have. */
const outcomes: Readonly<Record<string, Outcome>> = {
  'games of the teams of games': ['MAX_VALUES', 81],
  'an expensive field under many names': ['data', 0],
  'many days': ['data', 450],
  'long names of many values': ['MAX_ANSWER_BYTES', 1],
  'a computed field of many rows': ['data', 0],
  '2,000 unknown ids': ['data', 4],
  '200,000 ids': ['MAX_IDS', 0],
  'ids under many names': ['MAX_VALUES', 0],
  'ids that have to be read, under many names': ['MAX_VALUES', 0],
  'the same id under many names': ['data', 0],
  'fragments that multiply': ['MAX_VALUES', 0],
  'fragments of introspection that multiply': ['MAX_VALUES', 0],
  'fragments with conditions': ['data', 0],
  'fields to be merged': ['GRAPHQL_PARSE_FAILED', 0],
  'objects to be merged': ['GRAPHQL_PARSE_FAILED', 0],
  'fragments to be merged': ['GRAPHQL_PARSE_FAILED', 0],
  'unknown fields': ['GRAPHQL_VALIDATION_FAILED', 0],
  'introspection of introspection': ['MAX_VALUES', 0],
  'variables that are deep': ['BAD_REQUEST', 0],
  'variables that are long': ['BAD_USER_INPUT, data', 0],
  'variables of the wrong types': ['BAD_USER_INPUT', 0],
  'many wrong ids': ['BAD_USER_INPUT, data', 0],
  '10,000 representations': ['MAX_IDS', 0],
  'representations with columns of their own': ['MAX_VALUES', 0],
  'events that multiply': ['MAX_VALUES', 2],
  'events of a game under many names': ['data', 0],
}

interface Came {
  /** "data", or the codes of its errors, with the limit that was exceeded. */
  readonly ends: readonly string[]
  readonly values: number
  readonly bytes: number
}

/** Values of an answer: fields and items. */
function valuesIn(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0
  return Object.values(data).reduce<number>((sum, part) => sum + 1 + valuesIn(part), 0)
}

/** Throws if the text is no answer of GraphQL. */
function parsed(text: string): Came {
  const { data, errors = [] } = JSON.parse(text) as Partial<Answer<unknown>> // as GraphQL over HTTP has it
  const codes = errors.map(({ extensions }) => extensions?.limit ?? extensions?.code ?? 'no code')
  return { ends: data ? ['data', ...codes] : codes, values: valuesIn(data), bytes: Buffer.byteLength(text) }
}

describe(`hostile documents of seed ${seed}, through every door of a process with 256 MB`, () => {
  let sample: Sample
  let front: Front
  let statline: Statline
  let documents: readonly Hostile[]

  beforeAll(async () => {
    sample = await startSample()
    front = await startFront(sample.url)
    statline = await startStatline({ url: front.url, apiKey: 'sample-paid' }, sampleNow, patient)
    const rows = await sample.rows('game/getGames', { ...basketball, start_date: today })
    const games = rows.map((row) => String(row['game_id']))
    documents = hostileDocuments({ season, date: today, teams: await teamsOfToday(sample), games }, seed)
  })
  afterAll(async () => {
    statline.close()
    await front.close()
    await sample.close()
  })

  /** Sends a document through every door that takes it, one after the other, while `/health` is asked for. */
  async function sent(asked: Hostile): Promise<readonly Came[]> {
    const came: Came[] = []
    for (const [door, through] of Object.entries(doors)) {
      const reply = through(statline.url, asked)
      if (!reply) continue
      const health = fetch(new URL('/health', statline.url))
      const { text } = await reply.catch((error: unknown) => {
        throw new Error(`${door}: ${String(error)} ${statline.ending()}`)
      })
      came.push(parsed(text))
      expect((await health).status).toBe(200)
    }
    return came
  }

  test('are of these kinds', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(Object.keys(outcomes))
  })

  test.each(Object.entries(outcomes))('%s: %s', async (kind, [ends, calls]) => {
    const came = await Promise.all(documents.filter((one) => one.kind === kind).map(sent))
    const all = [...new Set(came.flat().flatMap((one) => one.ends))].toSorted()
    expect([all.join(', '), front.take().length]).toEqual([ends, calls])
    const { MAX_VALUES, MAX_ANSWER_BYTES } = defaultExecutionLimits
    expect(came.flat().filter(({ values }) => values > MAX_VALUES)).toEqual([])
    expect(came.flat().filter(({ bytes }) => bytes > MAX_ANSWER_BYTES)).toEqual([])
    const { bytes } = await statline.used()
    expect(bytes).toBeLessThan(100_000_000)
  })
})
