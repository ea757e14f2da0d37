import DataLoader from 'dataloader'
import type { Json } from '../json.ts'
import { rowsIn } from '../json.ts'
import type { Arguments } from '../../src/specification/operation.ts'
import { several } from '../../src/specification/operation.ts'
import { operations } from '../../src/specification/operations.ts'
import { Deadline } from '../../src/wire/deadline.ts'
import type { Transport } from '../../src/wire/transport.ts'

const longestPath = 2000
const mostIds = 500

/** How a layer without a plan calls the service. */
export interface Asking {
  /** The answer to a call. */
  once(operation: string, values: Arguments): Promise<Json>
  /** The rows whose `column` is `id`. With a loader, the ids of one turn share one call. */
  by(operation: string, column: string, id: string, values?: Arguments): Promise<Json[]>
}

/** One call for each request, without sharing. */
export function singly(transport: Transport, apiKey: string): Asking {
  const once = (operation: string, values: Arguments) => ask(transport, apiKey, operation, values)
  return {
    once,
    by: async (operation, column, id, values = {}) =>
      rowsIn(await once(operation, { ...values, [column]: id })),
  }
}

/** A DataLoader for each class, for one request. */
export function withLoaders(transport: Transport, apiKey: string): Asking {
  const { once: send } = singly(transport, apiKey)
  const answers = new Map<string, Promise<Json>>()
  const loaders = new Map<string, DataLoader<string, Json[]>>()
  const once = (operation: string, values: Arguments) =>
    remembered(answers, `${operation} ${JSON.stringify(values)}`, () => send(operation, values))
  const loaderOf = (operation: string, column: string, values: Arguments) =>
    remembered(loaders, `${operation} ${column} ${JSON.stringify(values)}`, () =>
      loaderFor(column, (ids) => send(operation, { ...values, [column]: ids })),
    )
  return { once, by: (operation, column, id, values = {}) => loaderOf(operation, column, values).load(id) }
}

const loaderFor = (column: string, send: (ids: readonly string[]) => Promise<Json>) =>
  new DataLoader<string, Json[]>(
    async (ids) => {
      const groups = grouped(rowsIn(await send(ids)), column)
      return ids.map((id) => groups.get(id) ?? [])
    },
    { maxBatchSize: mostIds },
  )

function grouped(rows: readonly Json[], column: string): Map<string, Json[]> {
  const groups = new Map<string, Json[]>()
  for (const row of rows) remembered(groups, String(row[column]), () => []).push(row)
  return groups
}

function remembered<V>(kept: Map<string, V>, name: string, make: () => V): V {
  let value = kept.get(name)
  if (value === undefined) kept.set(name, (value = make()))
  return value
}

async function ask(
  transport: Transport,
  apiKey: string,
  operation: string,
  values: Arguments,
): Promise<Json> {
  const [className = '', functionName = ''] = operation.split('/')
  const query = queryOf(values)
  const isLong = query.length > longestPath
  const body = JSON.stringify({ class: className, function: functionName, arguments: values })
  const deadline = new Deadline(60_000)
  const { body: text } = await transport({
    // The transport does not need to know the operation here.
    operation: operations.readTeams,
    arguments: values,
    apiKey,
    deadline,
    ...(isLong ? { method: 'POST', path: '', body } : { method: 'GET', path: `/${operation}?${query}` }),
  }).finally(() => deadline.end())
  const answer = JSON.parse(text) as Json // the service answers with objects
  if (Object.hasOwn(answer, 'error')) throw new Error(`${operation}: ${JSON.stringify(answer['error'])}`)
  return answer
}

function queryOf(values: Arguments): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    several(value).map((one) => [name, String(one)] satisfies [string, string]),
  )
  return new URLSearchParams(pairs).toString()
}
