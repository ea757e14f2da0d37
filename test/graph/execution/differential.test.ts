import { setImmediate as turn } from 'node:timers/promises'
import { execute, parse, validate } from 'graphql'
import type { DocumentNode, ExecutionResult } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../../src/schema.ts'
import { answerAny } from '../../../src/server/execution.ts'
import type { executeAny } from '../../../src/server/execution.ts'
import { Answer } from '../../../src/graph/execution/answer.ts'
import { compiledQuery } from '../../../src/graph/execution/document.ts'
import { Request } from '../../../src/upstream/request.ts'
import type { Incoming, Outgoing, Transport } from '../../../src/upstream/transport.ts'
import type { Json } from '../../service/client.ts'
import { basketball, graphOver, season, startSample, today } from '../harness.ts'
import type { Sample } from '../harness.ts'
import { DocumentGenerator } from './documents.ts'
import type { GeneratedDocument, Vocabulary } from './documents.ts'

/** Documents for each service; more where there is time for them. */
const documents = Number(process.env['DIFFERENTIAL_DOCUMENTS'] ?? (process.env['CI'] ? 60 : 40))

let sample: Sample
let words: Vocabulary
let recorded: Transport

beforeAll(async () => {
  sample = await startSample()
  recorded = remembering(sample.transport)
  words = await vocabulary()
})
afterAll(() => sample.close())

/**
 * Answers the same request with the same answer, and what was asked in one turn of the event loop in one turn: what a document
 * costs then depends on nothing but the document.
 */
function remembering(transport: Transport): Transport {
  const answers = new Map<string, Incoming>()
  return async (request) => {
    const form = `${request.apiKey} ${request.method} ${request.path} ${request.body}`
    let answer = answers.get(form)
    if (!answer) answers.set(form, (answer = await transport(request)))
    await turn()
    await turn()
    return answer
  }
}

async function vocabulary(): Promise<Vocabulary> {
  const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const column = (rows: readonly Json[], name: string) => rows.slice(0, 6).map((row) => String(row[name]))
  const teams = column(games, 'home_team_id')
  const { organization_id } = basketball
  const players = await sample.rows('team/getPlayers', { organization_id, team_id: teams[0] ?? '', season })
  const team = (Object.values(games[0]?.['teams'] ?? {}) as Json[])[0]
  return {
    season,
    date: today,
    ids: {
      Game: column(games, 'game_id'),
      Team: teams,
      Player: column(players, 'player_id'),
      Conference: [String(team?.['conference_id'])],
    },
  }
}

type Run = (args: Parameters<typeof executeAny>[0]) => ExecutionResult | Promise<ExecutionResult>

/** What a client sees of one execution and what it cost, with nothing kept before. */
async function outcome(
  run: Run,
  document: DocumentNode,
  { variables }: GeneratedDocument,
  transport: Transport,
) {
  const { upstream } = graphOver(transport, { timeoutMs: 60_000 })
  const client = new Request(upstream.worldOf('sample-paid'))
  const contextValue = { client, defaults: basketball }
  const { data, errors = [] } = await run({ schema, document, variableValues: variables, contextValue })
  await client.expected
  return {
    data: JSON.stringify(data),
    errors: errors
      .map(({ message, path, locations }) => JSON.stringify({ message, path, locations }))
      .toSorted(),
    usage: client.usage,
    // Of several fields that need one call, either may be the first to ask.
    plan: client.plan.map(({ ms: _ms, at: _at, field: _field, ...line }) => JSON.stringify(line)).toSorted(),
  }
}

/** Executes a document as the server does. Its answer is the same as an object and as text. */
async function executeCompiled(args: Parameters<Run>[0]): Promise<ExecutionResult> {
  const answer = await answerAny(args)
  if (!(answer instanceof Answer)) throw new Error('The document was not compiled.')
  expect(answer.bytes().toString()).toBe(JSON.stringify(answer.result.data))
  return answer.result
}

/** The next document that is valid: fields of one name may have other types in the types of an interface. */
function validDocument(generator: DocumentGenerator) {
  for (;;) {
    const generated = generator.next()
    const document = parse(generated.text)
    if (validate(schema, document).length === 0) return { generated, document }
  }
}

/** An answer with its lists sorted: games without a known start are listed by what is known of them at that moment. */
function unordered(data: string): unknown {
  return JSON.parse(data, (_key, value: unknown) =>
    Array.isArray(value) ? value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value,
  )
}

/** Compares both executors over generated documents. Returns how many of those had errors. */
async function differ(seed: number, transport: () => Transport, isExact = true): Promise<number> {
  const generator = new DocumentGenerator(schema, words, seed)
  let errors = 0
  for (let count = 0; count < documents; count += 1) {
    const { generated, document } = validDocument(generator)
    expect(compiledQuery(schema, document), generated.text).not.toBeNull()
    await outcome(execute, document, generated, transport()) // asks the service whatever has not been asked yet
    const expected = await outcome(execute, document, generated, transport())
    const found = await outcome(executeCompiled, document, generated, transport())
    const name = `${generated.text}\n${JSON.stringify(generated.variables)}`
    if (isExact) expect(found, name).toEqual(expected)
    else {
      expect(found.errors, name).toEqual(expected.errors)
      expect(unordered(found.data), name).toEqual(unordered(expected.data))
      expect(found.usage.calls, name).toBeLessThanOrEqual(1.1 * expected.usage.calls)
    }
    errors += expected.errors.length > 0 ? 1 : 0
  }
  return errors
}

/** Fails every request of some operations, as a service does that is partly down. */
const failing =
  (operations: RegExp, answer: (request: Outgoing) => Partial<Incoming>): (() => Transport) =>
  () =>
  async (request) => {
    const name = request.body === undefined ? request.path : request.body
    const usual = await recorded(request)
    return operations.test(name) ? { ...usual, ...answer(request) } : usual
  }

const refused = () => ({ body: '{"error":{"code":"access_denied","message":"Access denied."}}' })
const broken = () => ({ body: '{"error":"broken"}' })
const cut = () => ({ body: '{"half":' })
const nothing = () => ({ body: '{}' })

describe('the breadth-first executor and GraphQL’s own', () => {
  test('answer and cost the same over a healthy service', async () => {
    await differ(1, () => recorded)
  })

  test.each([
    ['whose reads are refused', 2, /"function":"read"|\/read\?/, refused],
    ['whose teams and statistics fail', 3, /team|statistic/, broken],
    ['whose odds and scores are cut off', 4, /odds|getScores/, cut],
    ['whose games are empty', 5, /getGames/, nothing],
    ['that fails whatever it is asked', 6, /./, broken],
  ])('answer and cost the same over a service %s', async (_what, seed, operations, answer) => {
    // Where calls fail, others follow, some a few at a time. Which arrivals meet in one turn, and so
    // share what follows, depends on the executor: the bills are then nearly the same.
    const isExact = answer !== refused && answer !== cut
    expect(await differ(seed, failing(operations, answer), isExact)).toBeGreaterThan(0)
  })
})
