import { execute, parse, validate } from 'graphql'
import type { DocumentNode, ExecutionResult } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../../src/schema.ts'
import { answerAny } from '../../../src/server/execution.ts'
import type { executeAny } from '../../../src/server/execution.ts'
import { Answer } from '../../../src/graph/execution/answer.ts'
import { ExecutionBudget, defaultExecutionLimits, sliceMs } from '../../../src/graph/execution/budget.ts'
import { compiledQuery } from '../../../src/graph/execution/document.ts'
import { ClientRequest } from '../../../src/account/client-request.ts'
import type { Incoming, Outgoing, Transport } from '../../../src/wire/transport.ts'
import type { Json } from '../../service/client.ts'
import { remembering } from '../remembering.ts'
import { basketball, graphOver, season, startSample, stillClocks, today } from '../harness.ts'
import type { Sample } from '../harness.ts'
import type { Sent } from '../recorder.ts'
import { resolveOneByOne } from '../oracle.ts'
import { longest } from '../../patience.ts'
import { DocumentGenerator } from './documents.ts'
import type { GeneratedDocument, Vocabulary } from './documents.ts'

/**
 * Documents for each of the six services. `npm test` runs some, `npm run suites` 1,200 in all, a release 2,400.
 * `DIFFERENTIAL_DOCUMENTS=1000 npx vitest run --project tests differential` runs more, another
 * `DIFFERENTIAL_SEED` others.
 */
const documents = Number(process.env['DIFFERENTIAL_DOCUMENTS'] ?? 15)
const firstSeed = Number(process.env['DIFFERENTIAL_SEED'] ?? 0)

let sample: Sample
let words: Vocabulary
let recorded: Transport
/** The requests that had to be sent to the service, whose answers take time. */
let unknown = 0

beforeAll(async () => {
  resolveOneByOne(schema)
  sample = await startSample()
  recorded = remembering(sample.transport, () => void (unknown += 1))
  words = await vocabulary()
})
afterAll(() => sample.close())

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

/** GraphQL's own executor lists all errors. */
const budget = () => new ExecutionBudget(defaultExecutionLimits, Number.POSITIVE_INFINITY, stillClocks)

/** As `budget`, but the execution gives way after each of its steps. */
const pausing = () => {
  let now = 0
  const clocks = { wall: () => (now += sliceMs), cpu: () => 0, values: 0 }
  const limits = { ...defaultExecutionLimits, MAX_EXECUTION_MS: Number.POSITIVE_INFINITY }
  return new ExecutionBudget(limits, Number.POSITIVE_INFINITY, clocks)
}

/** A call with its arguments; ids of one call are in any order. */
const callOf = ({ operation, arguments: values }: Sent) =>
  JSON.stringify([
    operation,
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
  ])

/** What a client sees of one execution with an empty cache, and its cost. */
async function outcome(
  run: Run,
  document: DocumentNode,
  { variables }: GeneratedDocument,
  transport: Transport,
  budgetOf = budget,
) {
  const { upstream, calls } = graphOver(transport, { timeoutMs: 60_000 })
  const client = new ClientRequest(upstream.accountOf('sample-paid'))
  const contextValue = { clientRequest: client, defaults: basketball, budget: budgetOf() }
  const { data, errors = [] } = await run({ schema, document, variableValues: variables, contextValue })
  await client.prefetches
  return {
    data: JSON.stringify(data),
    errors: errors
      .map(({ message, path, locations }) => {
        // Only the first row of a field is told, and both do not look at rows in the same order.
        const isOfFirst = message.startsWith('The row has no statistic')
        return JSON.stringify({ message, path: isOfFirst ? null : path, locations })
      })
      .toSorted(),
    usage: client.usage,
    calls: calls.sent.map(callOf).toSorted(),
    // Of several fields that need one call, either may be the first to ask.
    plan: client.plan.map(({ ms: _ms, at: _at, field: _field, ...line }) => JSON.stringify(line)).toSorted(),
  }
}

/** Executes a document as the server does. */
async function executeCompiled(args: Parameters<Run>[0]): Promise<ExecutionResult> {
  const answer = await answerAny(args)
  if (!(answer instanceof Answer)) throw new Error('The document was not compiled.')
  const { errors } = answer
  const data = JSON.parse((await answer.bytes()).toString()) as ExecutionResult['data']
  return { data, ...(errors && { errors }) }
}

/**
 * The outcome if all answers were known before. Late answers lead to later asks, which may be shared by more
 * or fewer requests.
 */
async function settledOutcome(
  run: Run,
  document: DocumentNode,
  generated: GeneratedDocument,
  transport: () => Transport,
  budgetOf = budget,
) {
  for (;;) {
    const before = unknown
    const found = await outcome(run, document, generated, transport(), budgetOf)
    if (unknown === before) return found
  }
}

/** The next document that is valid: fields of one name may have other types in the types of an interface. */
function validDocument(generator: DocumentGenerator) {
  for (;;) {
    const generated = generator.next()
    const document = parse(generated.text)
    if (validate(schema, document).length === 0) return { generated, document }
  }
}

/** What documents have cost, with pauses or without. */
interface Cost {
  tokens: number
  calls: number
}

type Costs = readonly [without: Cost, withPauses: Cost]

/** Compares both executors over generated documents. Returns how many of those had errors. */
async function differ(seed: number, transport: () => Transport): Promise<number> {
  const generator = new DocumentGenerator(schema, words, firstSeed + seed)
  const [without, withPauses] = [noCost(), noCost()]
  let errors = 0
  for (let count = 0; count < documents; count += 1) {
    // A pause after each step takes as long as both others together.
    const costs: Costs | null = count % 4 === 0 ? [without, withPauses] : null
    if ((await compare(validDocument(generator), transport, costs)) > 0) errors += 1
  }
  expectNoMore(withPauses, without, 0.01)
  return errors
}

const noCost = (): Cost => ({ tokens: 0, calls: 0 })

function add(sum: Cost, { tokens, calls }: Cost): void {
  sum.tokens += tokens
  sum.calls += calls
}

/**
 * A pause splits no batch. What comes in it, of calls that were sent before, is not asked for again. `more` is the share
 * that may be dearer: an answer may come a turn sooner or later than without pauses. One document in some hundreds then
 * reads a team by its id in the same turn in which a day of games is asked for that has it.
 */
function expectNoMore(withPauses: Cost, without: Cost, more = 0): void {
  expect(withPauses.tokens, 'tokens with pauses').toBeLessThanOrEqual(without.tokens * (1 + more))
  expect(withPauses.calls, 'calls with pauses').toBeLessThanOrEqual(without.calls * (1 + more))
}

/** Compares both executors over one document. Returns how many errors it has. With `costs` also with pauses. */
async function compare(
  { generated, document }: ReturnType<typeof validDocument>,
  transport: () => Transport,
  costs: Costs | null,
): Promise<number> {
  expect(compiledQuery(schema, document), generated.text).not.toBeNull()
  const expected = await settledOutcome(execute, document, generated, transport)
  const name = `${generated.text}\n${JSON.stringify(generated.variables)}`
  expect(await settledOutcome(executeCompiled, document, generated, transport), name).toEqual(expected)
  if (!costs) return expected.errors.length
  const paused = await settledOutcome(executeCompiled, document, generated, transport, pausing)
  const { data, errors, usage } = expected
  expect({ data: paused.data, errors: paused.errors }, name).toEqual({ data, errors })
  add(costs[0], usage)
  add(costs[1], paused.usage)
  return expected.errors.length
}

/** Compares both executors over one document, which costs no more with pauses. */
async function compareOne(one: ReturnType<typeof validDocument>, transport: () => Transport): Promise<void> {
  const costs: Costs = [noCost(), noCost()]
  await compare(one, transport, costs)
  expectNoMore(costs[1], costs[0])
}

/** The answers to a document that is asked several times of the same account, and the calls of the last. */
async function repeated(run: Run, document: DocumentNode, { variables }: GeneratedDocument) {
  const { upstream, calls } = graphOver(recorded, { timeoutMs: 60_000 })
  const account = upstream.accountOf('sample-paid')
  const answers: string[] = []
  for (let nth = 0; nth < 4; nth += 1) {
    calls.take()
    const contextValue = {
      clientRequest: new ClientRequest(account),
      defaults: basketball,
      budget: budget(),
    }
    const { data } = await run({ schema, document, variableValues: variables, contextValue })
    await contextValue.clientRequest.prefetches
    answers.push(JSON.stringify(data))
  }
  return { answers, calls: calls.take().toSorted() }
}

/** Fails all requests of some operations, like a service that is partly down. */
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

// Thousands of documents take minutes.
describe('the breadth-first executor and GraphQL’s own', { timeout: longest + 2_000 * documents }, () => {
  test('answer and cost the same over a healthy service', async () => {
    await differ(1, () => recorded)
  })

  test('answer and cost the same again, from rows that were printed before', async () => {
    const generator = new DocumentGenerator(schema, words, firstSeed + 7)
    for (let count = 0; count < documents; count += 1) {
      const { generated, document } = validDocument(generator)
      const expected = await repeated(execute, document, generated)
      expect(await repeated(executeCompiled, document, generated), generated.text).toEqual(expected)
    }
  })

  test.each([
    ['whose reads are refused', 2, /"function":"read"|\/read\?/, refused],
    ['whose teams and statistics fail', 3, /team|statistic/, broken],
    ['whose odds and scores are cut off', 4, /odds|getScores/, cut],
    ['whose games are empty', 5, /getGames/, nothing],
    ['that fails whatever it is asked', 6, /./, broken],
  ])('answer and cost the same over a service %s', async (_what, seed, operations, answer) => {
    expect(await differ(seed, failing(operations, answer))).toBeGreaterThan(0)
  })

  test.each([
    ['over a healthy service', () => recorded],
    ['over a service whose teams fail', failing(/team|statistic/, broken)],
    ['over a service whose scores and odds fail', failing(/odds|getScores/, cut)],
  ])('answer and cost the same where several objects lead to one, %s', async (_where, transport) => {
    const nested =
      'homeTeam { name stats { games } conferenceId games(last: 2) { gameId season awayTeam { name } } }'
    const text = `{ team(id: "${words.ids['Team']?.[0]}") { games(season: ${season}, last: 6) {
      ${nested} odds { pre { __typename } } again: homeTeam { games(season: ${season}, last: 3) { ${nested} } }
    } } }`
    const document = parse(text)
    expect(validate(schema, document)).toEqual([])
    await compareOne({ generated: { text, variables: {} }, document }, transport)
  })
  // A game that a log has brought is not read again, so the order of the logs matters.
  test('cost the same where more calls are asked for than may be under way at once', async () => {
    const text = `{ league { transfers(season: ${season}) {
      player { gameLog { gameId } careerStats(active: true) { careerActive } }
      committedTeam { elo(season: ${season}) { dateOfEntry } conference { conferenceId stats(season: ${season}) { deleted } } }
    } } }`
    const document = parse(text)
    expect(validate(schema, document)).toEqual([])
    await compareOne({ generated: { text, variables: {} }, document }, failing(/odds|getScores/, cut))
  })
  // The games of rest days bring teams too, so it matters in which turn they are asked for.
  test('answer the same where one loader asks another in the turn in which fields ask it', async () => {
    const text = `{ league { elo(current: true, season: ${season}) { game {
      homeTeam { deleted lineRecord(season: ${season}) { __typename } eloHistory(season: ${season}) { eloId } }
      rest { home away }
    } } } }`
    const document = parse(text)
    expect(validate(schema, document)).toEqual([])
    await compareOne({ generated: { text, variables: {} }, document }, failing(/team|statistic/, broken))
  })
})
