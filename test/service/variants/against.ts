import { expect } from 'vitest'
import { subjectsOf } from '../../../bench/bill/subjects.ts'
import { singly } from '../../../bench/naive/asking.ts'
import { matchup } from '../../../bench/bill/pages/matchup.ts'
import { playerPages } from '../../../bench/bill/pages/player.ts'
import { scoreboard } from '../../../bench/bill/pages/scoreboard.ts'
import { searching } from '../../../bench/bill/pages/search.ts'
import { standings } from '../../../bench/bill/pages/standings.ts'
import { teamPages } from '../../../bench/bill/pages/team.ts'
import { Capabilities } from '../../../src/capabilities/capabilities.ts'
import { examine } from '../../../src/commands/doctor-run.ts'
import type { Examination } from '../../../src/commands/doctor-run.ts'
import { probeSender } from '../../../src/commands/send-probe.ts'
import type { Transport } from '../../../src/wire/transport.ts'
import { basketball, graphOver, today } from '../../graph/harness.ts'
import type { Answer, Sample } from '../../graph/harness.ts'
import { sampleNow } from '../../sample.setup.ts'
import type { Variant } from './variant.ts'

/** A query of a page, with the answer of a service as specified, and the calls that it makes. */
export interface Asked {
  readonly name: string
  readonly query: string
  readonly data: string
  readonly calls: readonly string[]
}

/** The pages of the bill benchmark. */
export const pages = [...scoreboard, ...matchup, ...teamPages, ...playerPages, ...standings, ...searching]

/** The pages of the bill benchmark over a service as specified. */
export async function pagesOver(sample: Sample): Promise<readonly Asked[]> {
  const subjects = await subjectsOf(singly(sample.transport, sample.apiKey), basketball, today)
  const asked: Asked[] = []
  for (const page of pages) {
    const query = page.query(subjects)
    if (query === null) continue
    const graph = graphOver(sample.transport)
    const { data, errors } = await graph.query(query)
    expect(errors).toBeUndefined()
    asked.push({ name: page.name, query, data: content(data), calls: graph.calls.take() })
  }
  return asked
}

/** An answer without the order of its lists. */
function content(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(content).toSorted().join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${name}:${content(one)}`)
    .join()}}`
}

const clock = () => sampleNow

/** Whatever key a query comes with, the service knows one. */
const transportOf = (variant: Variant, { transport, apiKey }: Sample): Transport => {
  const send: Transport = async (request) => {
    const answer = await variant.answer(request, (one) => transport({ ...one, apiKey, onHeaders: undefined }))
    request.onHeaders?.(answer.headers)
    return answer
  }
  return send
}

export const examineOf = (variant: Variant, sample: Sample): Promise<Examination> =>
  examine(probeSender(transportOf(variant, sample), sample.apiKey, 60_000), 25, {}, clock)

export interface Told {
  readonly name: string
  readonly calls: readonly string[]
  readonly tokens: number
  readonly data: string
  readonly errors: Answer<unknown>['errors']
}

/**
 * Runs every query with an empty cache, by a graph that has these findings about the service and learns the
 * rest.
 */
export async function answersOf(
  variant: Variant,
  sample: Sample,
  asked: readonly Asked[],
  capabilities: Capabilities,
): Promise<readonly Told[]> {
  const transport = transportOf(variant, sample)
  const { specified = (text: string) => text } = variant
  const graph = graphOver(transport, { apiKey: null, capabilities })
  const told: Told[] = []
  for (const [nth, { name, query }] of asked.entries()) {
    // Each query has a key of its own, so it begins with an empty cache.
    const { data, errors, extensions } = await graph.query(query, { headers: { 'x-api-key': `key-${nth}` } })
    const { tokens } = extensions.usage
    told.push({ name, data: specified(content(data)), errors, tokens, calls: graph.calls.take() })
  }
  return told
}

/** The queries with different data and no error that says so. */
export const lies = (told: readonly Told[], asked: readonly Asked[]): readonly string[] =>
  told.filter(({ data, errors }, nth) => !errors && data !== asked[nth]?.data).map(({ name }) => name)

/** The queries that fail. */
export const failures = (told: readonly Told[]): readonly string[] =>
  told
    .filter(({ errors }) => errors)
    .map(({ name, errors }) => `${name}: ${errors?.[0]?.extensions?.code} ${errors?.[0]?.message}`)

/** The calls of each query. */
export const billsOf = (told: readonly { readonly name: string; readonly calls: readonly string[] }[]) =>
  Object.fromEntries(told.map(({ name, calls }) => [name, calls]))

export const leastBills = ({ calls: least = (lines) => lines }: Variant, asked: readonly Asked[]) =>
  Object.fromEntries(asked.map(({ name, calls }) => [name, least(calls, name)]))

/** The capabilities that a new process starts with. */
export const restarted = ({ findings }: Capabilities): Capabilities => new Capabilities(clock, findings)

export const knowingNothing = (): Capabilities => new Capabilities(clock)
