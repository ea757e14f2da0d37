import { isIgnored, isRefusedBy, isSingle } from '../../capabilities/choices.ts'
import type { Choices } from '../../capabilities/choices.ts'
import type { Arguments, Operation } from '../../specification/operation.ts'
import { longestList, nameOf, several } from '../../specification/operation.ts'
import { pathOf } from '../../wire/encode.ts'
import { UnsupportedError } from '../../errors/errors.ts'
import { allDone, chunks } from '../../groups.ts'
import type { Account } from '../../account/account.ts'
import type { Answered } from '../../wire/answer.ts'
import { narrowed, without } from './reading.ts'

/**
 * Makes a call in as many parts as the service requires, in parallel, and applies the filters that it is known to
 * ignore. Throws a CodedError.
 */
export async function inParts(
  account: Account,
  operation: Operation,
  values: Arguments,
  call: (part: Arguments) => Promise<Answered>,
): Promise<Answered> {
  const { settings, capabilities } = account.upstream
  const { choices } = capabilities
  const names = choices.refused.size + choices.ignored.size === 0 ? [] : Object.keys(values)
  const refused = names.find((name) => isRefusedBy(choices, operation, name))
  if (refused !== undefined)
    throw new UnsupportedError(
      `The statistics service does not find rows of ${nameOf(operation)} by ${refused}.`,
    )
  const ignored = names.filter((name) => isIgnored(choices, operation, name))
  const left = ignored.length === 0 ? values : without(values, ignored)
  const parts = singles(choices, operation, left).flatMap((one) =>
    cut(choices, operation, one, settings.batchSize),
  )
  const answered =
    parts.length === 1
      ? await call(parts[0] ?? left)
      : joinedAnswers(await account.holding(() => allDone(parts.map((part) => call(part)))))
  return ignored.length === 0 ? answered : narrowed(account, operation, values, answered)
}

/** Joins several answers. */
export const joinedAnswers = (answers: readonly Answered[]): Answered => ({
  keys: answers.flatMap(({ keys }) => keys),
  body: Object.fromEntries(answers.flatMap(({ body }) => Object.entries(body))),
  boughtAt: Math.min(...answers.map(({ boughtAt }) => boughtAt)),
})

/** One call for each value of the arguments that take only one. */
function singles(choices: Choices, operation: Operation, values: Arguments): readonly Arguments[] {
  let calls: readonly Arguments[] = [values]
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'object' || value.length < 2 || !isSingle(choices, operation, name)) continue
    calls = calls.flatMap((call) => value.map((one) => ({ ...call, [name]: [one] })))
  }
  return calls
}

/** Splits the longest list into parts that one call may carry. */
function cut(
  choices: Choices,
  operation: Operation,
  values: Arguments,
  batchSize: number,
): readonly Arguments[] {
  const [name, list] = longestList(values) ?? []
  if (name === undefined || list === undefined) return [values]
  const size = Math.min(
    batchSize,
    choices.batchSize,
    choices.mayPost ? list.length : fitting(choices, operation, values, name),
  )
  if (list.length <= size) return [values]
  return chunks(list, size).map((part) => ({ ...values, [name]: part }))
}

/** The number of a list's values that fit in an address. */
function fitting({ addressLength }: Choices, operation: Operation, values: Arguments, name: string): number {
  const [first = ''] = several(values[name] ?? '')
  const bare = pathOf(operation, { ...values, [name]: [] }).length + 1
  return Math.max(
    1,
    Math.floor((addressLength - bare) / (name.length + encodeURIComponent(String(first)).length + 2)),
  )
}
