import { severalName, batchSizes, addressLengths } from '../../capabilities/questions/several-values.ts'
import { filterName } from '../../capabilities/questions/filters.ts'
import { isQuestion } from '../../capabilities/questions.ts'
import { operations } from '../../specification/operations.ts'
import { keyOf } from '../../specification/tables.ts'
import { longestList } from '../../specification/operation.ts'
import type { Arguments, Operation } from '../../specification/operation.ts'
import type { Answered } from '../../wire/answer.ts'
import { pathOf } from '../../wire/encode.ts'
import { RefusedError } from '../../errors/errors.ts'
import { joinedAnswers } from './parts.ts'
import type { Account } from '../../account/account.ts'

/** Sends the same call with other arguments: as they are, or in the form that is known to work by then. */
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
 * A call that was sent, in another way if the service refuses it or answers only a part. Rejects with a CodedError.
 */
export const inAnotherWay = (
  account: Account,
  operation: Operation,
  values: Arguments,
  sent: Promise<Answered>,
  again: Again,
): Promise<Answered> =>
  sent.then(
    (answered) => {
      const [name, list = []] = longestList(values) ?? []
      if (name === undefined || list.length < 2 || account.upstream.capabilities.isFound(several))
        return answered
      return completed(account, { operation, values, name }, list, answered, again)
    },
    (error: unknown) => fallBack(account, operation, values, error, again),
  )

/**
 * Repeats a refused call in another way that the specification allows: with fewer ids, one by one, with
 * commas, with or without POST. Remembers what works. Rejects with `error` if nothing does.
 */
async function fallBack(
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
  // The call also fails with one value, so their number is not the reason.
  if (!one) throw error
  const listed = { operation, values, name }
  const others =
    (await byShorterAddress(account, listed, rest, error, again)) ??
    (await smaller(account, listed, rest, again))
  return joinedAnswers([one, ...others])
}

/** Notes a refused filter of reads for which another operation finds the same rows. */
function noteRefusedFilters({ upstream }: Account, operation: Operation, values: Arguments): void {
  if (operation !== operations.readGames) return
  for (const name of ['home_team_id', 'away_team_id'])
    if (values[name] !== undefined) upstream.capabilities.note(filterName(operation, name), 'refused')
}

/** The same call with a shorter address. */
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

/** Finds the largest number of ids that the service accepts, and sends the rest in such batches. */
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

/** Checks whether the service refuses POST: as many ids as fit in an address work, more do not. */
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

/** More ids than the next smaller batch, and as many as fit in an address. */
const mostByGet = 40

/** Sends the values joined by commas, unless another way is known to work. */
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
 * Checks an answer to a call with several values in which only the first or the last has rows: the service
 * may have read only that one. Unless it is known to accept several, another one is requested alone; if it
 * has a row, the rest is requested too. Pending reads of several keys are awaited first, because they may
 * show it: most keys have a row, but many games have no odds.
 */
async function completed(
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
  // A service that does not accept commas returns nothing, which would be stored for all values. So all are
  // requested again.
  const joined = missing.length > 1 ? missing : list
  const commas = await inCommas(account, { operation, values, name }, joined, again)
  if (commas) return joinedAnswers([answered, commas])
  capabilities.note(several, 'one value')
  return joinedAnswers([answered, await again.known({ ...values, [name]: joined })])
}

const several = 'several values'

/** Whether a call reads rows by several keys. */
export function isKeyRead({ yields }: Operation, values: Arguments): boolean {
  const keys = yields === 'search' ? undefined : values[keyOf(yields)]
  return typeof keys === 'object' && keys.length > 1
}

/** Resolves when pending reads of several keys are over. These never wait for others. */
const keyReads = async ({ inFlight }: Account): Promise<unknown> =>
  Promise.allSettled(Array.from(inFlight.values(), ({ answer, isKeyRead: reads }) => reads && answer))

/** The distinct values that an answer's rows have in a column. */
function idsIn({ body }: Pick<Answered, 'body'>, name: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const row of Object.values(body))
    if (typeof row === 'object' && row !== null) ids.add(String((row as Record<string, unknown>)[name])) // an object
  return ids
}

/** The answer, or null if the service refuses the call. Other errors are thrown. */
async function attempt(call: () => Promise<Answered>): Promise<Answered | null> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof RefusedError) return null
    throw error
  }
}
