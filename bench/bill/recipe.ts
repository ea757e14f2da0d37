import type { Arguments } from '../../src/specification/operation.ts'
import type { Transport } from '../../src/wire/transport.ts'
import type { Json } from '../json.ts'
import { singly } from '../naive/asking.ts'
import type { Subjects } from './subjects.ts'

/** A call of an operation that the specification documents. */
export type Asked = readonly [operation: string, values: Arguments]

/** One round trip: calls side by side, and their answers in the same order. */
export type Ask = (...calls: readonly Asked[]) => Promise<readonly [Json, ...Json[]]>

/**
 * A way to answer a query, written by hand from the specification's operations, without Statline's planner:
 * rounds of calls that use the answers of earlier rounds.
 */
export type Recipe = (ask: Ask, about: Subjects) => Promise<unknown>

/** A query that a page needs. */
export interface Page {
  readonly name: string
  /** Null if the league has no subject for it. */
  readonly query: (about: Subjects) => string | null
  /** All recipes that could be the cheapest. */
  readonly cheapest: readonly [Recipe, ...Recipe[]]
}

export interface Bill {
  readonly bytes: number
  readonly calls: number
  readonly rounds: number
}

/** Bytes for a token. */
const token = 1024

/**
 * The bill of the cheapest recipe, by bytes; one more round trip has to save more than a quarter of the bytes
 * and two tokens. Makes the calls of all recipes.
 */
export async function cheapestOf(
  recipes: readonly Recipe[],
  about: Subjects,
  transport: Transport,
  apiKey: string,
): Promise<Bill> {
  const bills: Bill[] = []
  for (const recipe of recipes) bills.push(await billOf(recipe, about, transport, apiKey))
  const [first, ...others] = bills.toSorted((a, b) => a.rounds - b.rounds || a.bytes - b.bytes)
  if (!first) throw new Error('A query has no recipe.')
  return others.reduce((best, bill) => (isBetter(bill, best) ? bill : best), first)
}

/** Whether a recipe is better than another with at most as many round trips. */
function isBetter(bill: Bill, than: Bill): boolean {
  const saved = than.bytes - bill.bytes
  return bill.rounds === than.rounds ? saved > 0 : saved > than.bytes / 4 && saved >= 2 * token
}

async function billOf(recipe: Recipe, about: Subjects, transport: Transport, apiKey: string): Promise<Bill> {
  let [bytes, calls, rounds] = [0, 0, 0]
  const { once } = singly(async (request) => {
    const answer = await transport(request)
    bytes += answer.bytes
    calls += 1
    return answer
  }, apiKey)
  const ask: Ask = async (...asked) => {
    rounds += 1
    const answers = await Promise.all(asked.map(([operation, values]) => once(operation, values)))
    return answers as unknown as readonly [Json, ...Json[]] // a round has at least one call
  }
  await recipe(ask, about)
  return { bytes, calls, rounds }
}
