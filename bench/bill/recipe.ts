import type { Arguments } from '../../src/upstream/operations.ts'
import type { Transport } from '../../src/upstream/transport.ts'
import type { Json } from '../json.ts'
import { singly } from '../naive/asking.ts'
import type { Subjects } from './subjects.ts'

/** A call of an operation that the specification documents. */
export type Asked = readonly [operation: string, values: Arguments]

/** One round trip: calls side by side, and their answers in the order asked. */
export type Ask = (...calls: readonly Asked[]) => Promise<readonly [Json, ...Json[]]>

/**
 * How a query could be answered, written by hand from the specification's operations and from nothing that Statline plans: round by
 * round, each with what the answers before it tell.
 */
export type Recipe = (ask: Ask, about: Subjects) => Promise<unknown>

/** A query that a page needs. */
export interface Page {
  readonly name: string
  /** Null where the league has nothing to ask about. */
  readonly query: (about: Subjects) => string | null
  /** Every way that could be the cheapest. */
  readonly cheapest: readonly [Recipe, ...Recipe[]]
}

export interface Bill {
  readonly bytes: number
  readonly calls: number
  readonly rounds: number
}

/** What the service bills a token for, in bytes. */
const token = 1024

/**
 * The bill of the cheapest recipe: of the fewest bytes, but that more round trips have to save more than a quarter of the bytes and two
 * tokens. Makes the calls of all.
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

/** Whether a recipe is better than one of no more round trips. */
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
