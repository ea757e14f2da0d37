import { longestFresh } from '../rows/freshness.ts'
import type { Account } from '../account/account.ts'
import { parseAnswer } from '../wire/answer.ts'
import type { BoughtAnswer } from '../account/answer-store.ts'
import { CodedError } from '../errors/errors.ts'
import type { NotRecordedError } from '../wire/not-recorded.ts'
import { isRandomized } from './exchange.ts'
import { asRead } from './dialect/reading.ts'
import { argumentsIn } from './recorded-list.ts'
import { listedName, listedOperation } from '../specification/operations.ts'
import type { Recorded } from '../wire/not-recorded.ts'

/**
 * Stores the rows of a tape, because it lacks a call: the rows may be in answers to other calls. Which calls a
 * page needs depends on what is known, and on which queries arrive at the same time. The rows are stored as
 * expired, so that calls that are on the tape are still made, with their bills.
 */
export function recallTape(account: Account, { others }: NotRecordedError): void {
  if (account.hasRecalledTape) return
  account.hasRecalledTape = true
  const expiredAt = account.upstream.settings.clock() - longestFresh(account.fresh.freshFor)
  const bought = others().flatMap((line) => boughtIn(account, line, expiredAt) ?? [])
  account.upstream.restore(account, bought)
  // They are served whatever their age.
  if (bought.some((one) => one.isRandomized)) account.noteRandomized(Number.POSITIVE_INFINITY)
}

/** A recorded answer, as if bought at that time; null if it is an error, or the line names no operation. */
function boughtIn(account: Account, line: Recorded, boughtAt: number): BoughtAnswer | null {
  const operation = listedOperation(line.operation ?? '')
  if (!operation) return null
  try {
    const { emptyStatus } = account.upstream.capabilities.choices
    const body = parseAnswer(line, operation, emptyStatus)
    const read = asRead(account, operation, argumentsIn(line.call), body, line.body)
    return {
      kind: 'answer',
      operation: listedName(operation),
      arguments: read.arguments,
      boughtAt,
      bill: { tokens: 0, bytes: line.bytes, estimated: true },
      isRandomized: isRandomized(line),
      text: read.text,
    }
  } catch (error) {
    if (error instanceof CodedError) return null
    throw error
  }
}
