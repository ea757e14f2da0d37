import { severalName, batchSizes, addressLengths } from '../capabilities/questions/several-values.ts'
import { filterName } from '../capabilities/questions/filters.ts'
import { isQuestion } from '../capabilities/questions.ts'
import { operations } from '../specification/operations.ts'
import { keyOf } from '../specification/tables.ts'
import type { Arguments, Operation } from '../specification/operations.ts'
import type { Answered } from './call.ts'
import { pathOf } from './encode.ts'
import { RefusedError } from './errors.ts'
import { longestList } from './parts.ts'
import type { Account } from './account.ts'

/** The same call with other arguments, sent as it is; and as the service is known to take it by then. */
export interface Again {
  readonly once: (values: Arguments) => Promise<Answered>
  readonly known: (values: Arguments) => Promise<Answered>
}

interface Listed {
  readonly operation: Operation
  readonly values: Arguments
  readonly name: string
}

/**
 * A call that the service has refused, made in another way that the specification leaves open: with fewer
 * ids, one by one, with commas, by POST or without it. Notes what works. Rejects with the error where nothing
 * does.
 */
export async function otherwise(
  account: Account,
  operation: Operation,
  values: Arguments,
  error: unknown,
  again: Again,
): Promise<Answered> {
  if (!(error instanceof RefusedError) || !error.isAboutArguments) throw error
  const [name, list] = longestList(values) ?? []
  if (name === undefined || list === undefined || list.length < 2) {
    noteRefusedFilters(account, operation, values)
    throw error
  }
  const [first = '', ...rest] = list
  const one = await attempt(() => again.once({ ...values, [name]: [first] }))
  // The call fails with one value too: it is not about how many there are.
  if (!one) throw error
  const listed = { operation, values, name }
  const others =
    (await byShorterAddress(account, listed, rest, error, again)) ??
    (await smaller(account, listed, rest, again))
  return joinedAnswers([one, ...others])
}

/** A filter of a read that is refused, where another operation finds the same rows. */
function noteRefusedFilters({ upstream }: Account, operation: Operation, values: Arguments): void {
  if (operation !== operations.readGames) return
  for (const name of ['home_team_id', 'away_team_id'])
    if (values[name] !== undefined) upstream.capabilities.note(filterName(operation, name), 'refused')
}

/** The same in one call again, with an address as short as the service wants it. */
async function byShorterAddress(
  { upstream: { capabilities } }: Account,
  { operation, values, name }: Listed,
  rest: readonly string[],
  { isAddressTooLong }: RefusedError,
  again: Again,
): Promise<readonly Answered[] | null> {
  const { length } = pathOf(operation, values)
  const shorter = addressLengths.find((one) => Number(one) < length)
  if (!isAddressTooLong || shorter === undefined) return null
  capabilities.note('length of an address', shorter)
  const same = await attempt(() => again.once({ ...values, [name]: rest }))
  return same && [same]
}

/** The most ids by which the service answers, and the rest by as many. */
async function smaller(
  account: Account,
  listed: Listed,
  rest: readonly string[],
  again: Again,
): Promise<readonly Answered[]> {
  const { capabilities } = account.upstream
  const { operation, values, name } = listed
  for (const size of batchSizes) {
    if (Number(size) >= rest.length + 1) continue
    const part = await attempt(() => again.once({ ...values, [name]: rest.slice(0, Number(size)) }))
    if (!part) continue
    const left = rest.slice(Number(size))
    const byGet = await withoutPost(account, listed, left, again)
    if (byGet) return [part, ...byGet]
    capabilities.note('ids in a call', size)
    return left.length === 0 ? [part] : [part, await again.known({ ...values, [name]: left })]
  }
  const commas = await inCommas(account, listed, rest, again)
  if (commas) return [commas]
  const question = severalName(operation, name)
  if (isQuestion(question)) capabilities.note(question, 'refused')
  return [await again.known({ ...values, [name]: rest })]
}

/**
 * Whether it is POST that the service refuses: as many ids as an address holds are answered, and more were
 * not.
 */
async function withoutPost(
  { upstream: { capabilities } }: Account,
  { operation, values, name }: Listed,
  left: readonly string[],
  again: Again,
): Promise<readonly Answered[] | null> {
  const { addressLength, mayPost } = capabilities.choices
  const wasPost = pathOf(operation, { ...values, [name]: [...left, ...left] }).length > addressLength
  if (!mayPost || !wasPost || left.length < mostByGet) return null
  const part = left.slice(0, mostByGet)
  if (pathOf(operation, { ...values, [name]: part }).length > addressLength) return null
  const answered = await attempt(() => again.once({ ...values, [name]: part }))
  if (!answered) return null
  capabilities.note('POST', 'refused')
  const others = left.slice(mostByGet)
  return others.length === 0 ? [answered] : [answered, await again.known({ ...values, [name]: others })]
}

/** More than the next smaller batch, and as many as an address holds. */
const mostByGet = 40

/** The values joined by commas, where the service was not yet found to take them otherwise. */
async function inCommas(
  { upstream: { capabilities } }: Account,
  { values, name }: Listed,
  list: readonly string[],
  again: Again,
): Promise<Answered | null> {
  if (capabilities.isFound(several) || list.length < 2) return null
  capabilities.note(several, 'comma list')
  const answered = await attempt(() => again.once({ ...values, [name]: list }))
  if (answered && idsIn(answered, name).size > 1) return answered
  capabilities.note(several, 'repeated')
  return null
}

/**
 * An answer to a call with several values of which only the first or the last has rows: the service may have
 * looked at that one alone. Unless it was seen to answer several, one of the others is asked for by itself,
 * and the rest as that shows. Reads of several keys that are under way may show it first: most keys have a
 * row, where many games have no odds.
 */
export function completed(
  account: Account,
  operation: Operation,
  values: Arguments,
  answered: Answered,
  again: Again,
): Answered | Promise<Answered> {
  const [name, list] = longestList(values) ?? []
  if (name === undefined || list === undefined || list.length < 2) return answered
  if (account.upstream.capabilities.isFound(several)) return answered
  return doubted(account, { operation, values, name }, list, answered, again)
}

async function doubted(
  account: Account,
  { operation, values, name }: Listed,
  list: readonly string[],
  answered: Answered,
  again: Again,
): Promise<Answered> {
  const { capabilities } = account.upstream
  const found = idsIn(answered, name)
  const [only, other] = list.filter((id) => found.has(id))
  if (other !== undefined) capabilities.note(several, capabilities.finding(several))
  const isEnd = only !== undefined && (only === list[0] || only === list.at(-1))
  if (other !== undefined || !isEnd) return answered
  if (!isKeyRead(operation, values)) await keyReads(account)
  if (capabilities.isFound(several) || !capabilities.mayTest(several)) return answered
  const missing = list.filter((id) => id !== only)
  const [first = ''] = missing
  const one = await attempt(() => again.once({ ...values, [name]: [first] }))
  if (!one || Object.keys(one.body).length === 0) return answered
  // A service that takes no commas answers them with nothing, which would be kept of all that were asked for:
  // they are asked for again.
  const joined = missing.length > 1 ? missing : list
  const commas = await inCommas(account, { operation, values, name }, joined, again)
  if (commas) return joinedAnswers([answered, commas])
  capabilities.note(several, 'one value')
  return joinedAnswers([answered, await again.known({ ...values, [name]: joined })])
}

const several = 'several values'

/** Whether a call reads rows by several of their keys. */
export function isKeyRead({ yields }: Operation, values: Arguments): boolean {
  const keys = yields === 'search' ? undefined : values[keyOf(yields)]
  return typeof keys === 'object' && keys.length > 1
}

/** Resolves when the reads of several keys that are under way are over. They wait for nothing themselves. */
const keyReads = async ({ inFlight }: Account): Promise<unknown> =>
  Promise.allSettled(Array.from(inFlight.values(), ({ answer, isKeyRead: reads }) => reads && answer))

/** The distinct values that an answer's rows have in a column. */
export function idsIn({ body }: Pick<Answered, 'body'>, name: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const row of Object.values(body))
    if (typeof row === 'object' && row !== null) ids.add(String((row as Record<string, unknown>)[name])) // an object
  return ids
}

/** An answer, or null where the service refuses the call. Other failures are failures. */
async function attempt(call: () => Promise<Answered>): Promise<Answered | null> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof RefusedError) return null
    throw error
  }
}

/** Several answers as one. */
export const joinedAnswers = (answers: readonly Answered[]): Answered => ({
  keys: answers.flatMap(({ keys }) => keys),
  body: Object.fromEntries(answers.flatMap(({ body }) => Object.entries(body))),
  boughtAt: Math.min(...answers.map(({ boughtAt }) => boughtAt)),
})
