import { readFileSync } from 'node:fs'
import { graphql } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import type { Incoming, Outgoing, Transport } from '../../src/wire/transport.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import { sampleBasketball } from '../../src/service/sample/ids.ts'
import { createApp } from '../../src/server/app.ts'
import { Upstream } from '../../src/account/upstream.ts'
import type { Json } from '../json.ts'
import type { League } from '../league.ts'
import { withLoaders } from '../naive/asking.ts'
import type { Layer } from '../naive/thing.ts'
import { naiveSchema } from '../naive/schema.ts'
import { frugalSchema } from './frugal.ts'
import { fills } from '../../src/loaders/fills.ts'

/** Recorded answers of the service by request. */
export type Recording = Readonly<Record<string, string>>

export const requestLine = (method: string, path: string, body = '') => `${method} ${path} ${body}`

/** Games of the recorded day. */
export const games = 40

export const place = {
  organization_id: sampleBasketball.organizationId,
  division_id: sampleBasketball.divisionId,
}

const day = '2026-02-14'
const line = 'spreadHome spreadAway over moneyLineHome moneyLineAway'
const team = 'teamId name char6 primaryColor'

/** A day of games with their teams and current odds. */
export const query = `{ league { games(date: "${day}") { gameId homeScore awayScore status currentPeriod clock startDatetime
  homeTeam { ${team} } awayTeam { ${team} } odds { pre { ${line} } live { ${line} } } } } }`

export const printedSchema = () => readFileSync('schema/schema.graphql', 'utf8')

/**
 * What the service answers to each layer's calls for the query, the day being made of as many days as have
 * forty games.
 */
export async function record(league: League): Promise<Recording> {
  const service = httpTransport(league.url)
  const answers = new Map<string, string>()
  const transport: Transport = async (request) => {
    const answer = isDay(request) ? await fortyGames(service, request) : await service(request)
    answers.set(requestLine(request.method, request.path, request.body), answer.body)
    return answer
  }
  await askStatline(transport, league)
  for (const schema of [naiveSchema(printedSchema()), frugalSchema(printedSchema())])
    await askLoaders(schema, transport, league.apiKey)
  await service.close?.()
  return Object.fromEntries(answers)
}

const isDay = ({ path }: Outgoing) => path.includes(`start_date=${day}`)

/** The games of this day and of those before it, as if they were of this day too, until there are forty. */
async function fortyGames(service: Transport, request: Outgoing): Promise<Incoming> {
  const found: [string, Json][] = []
  for (let back = 0; found.length < games; back += 1) {
    const earlier = new Date(Date.parse(day) - back * 86_400_000).toISOString().slice(0, 10)
    const { body } = await service({ ...request, path: request.path.replace(day, earlier) })
    found.push(...Object.entries(JSON.parse(body) as Record<string, Json>)) // rows keyed by id
  }
  for (const [, game] of found) if ('start_date' in game) game['start_date'] = `${day}T00:00:00.000Z`
  const body = JSON.stringify(Object.fromEntries(found.slice(0, games)))
  return { status: 200, headers: {}, body, bytes: Buffer.byteLength(body) }
}

async function askStatline(transport: Transport, { apiKey, clock }: League): Promise<void> {
  const settings = {
    fills,
    monthlyTokenBudget: null,
    timeoutMs: 60_000,
    batchSize: 500,
    concurrency: 32,
    clock,
  }
  const app = createApp({ upstream: new Upstream({ transport, ...settings }), apiKey, defaults: place })
  const response = await app.fetch('http://statline.bench/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  check(await response.json())
}

async function askLoaders(schema: GraphQLSchema, transport: Transport, apiKey: string): Promise<void> {
  const layer: Layer = { asking: withLoaders(transport, apiKey), place }
  check(await graphql({ schema, source: query, contextValue: layer }))
}

/** The games of an answer. Throws if it is an error, or another number of them. */
export function check(answer: unknown): readonly Json[] {
  const { data } = answer as { data?: { league?: { games?: Json[] } } } // GraphQL over HTTP
  const found = data?.league?.games
  if (found?.length !== games) throw new Error(`No ${games} games: ${JSON.stringify(answer).slice(0, 500)}`)
  return found
}
