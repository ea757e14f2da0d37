import type { Account } from '../account/account.ts'
import { isBulk } from '../account/trial-signs.ts'
import { AccessDeniedError, BudgetExceededError, UnauthenticatedError } from '../errors/errors.ts'
import { nameOf } from '../specification/operation.ts'
import type { Operation } from '../specification/operation.ts'
import { parseAnswer, NothingFound } from '../wire/answer.ts'
import type { Body } from '../wire/answer.ts'
import { NotRecordedError } from '../wire/not-recorded.ts'
import type { Incoming } from '../wire/transport.ts'
import type { Sent } from './sent.ts'
import { recallTape } from './recall-tape.ts'

/** The body of a successful answer. Notes what the answer tells of the service and the key, also if it is an error. */
export function accepted({ account, operation }: Sent, answer: Incoming): Body {
  const { capabilities, health } = account.upstream
  let body: Body = {}
  try {
    body = parseAnswer(answer, operation, capabilities.choices.emptyStatus)
  } catch (error) {
    if (!(error instanceof NothingFound)) {
      health.answered(answer, error)
      noteError(account, operation, error)
      throw error
    }
  }
  health.answered(answer)
  account.hasAnswers = true
  account.isRefused = false
  account.isSpent = false
  return body
}

function noteError(account: Account, operation: Operation, error: unknown): void {
  if (error instanceof NotRecordedError) recallTape(account, error)
  if (error instanceof UnauthenticatedError) account.isRefused = true
  if (error instanceof BudgetExceededError) account.isSpent = true
  if (!(error instanceof AccessDeniedError) || !isBulk(operation)) return
  const boughtAt = account.upstream.settings.clock()
  account.noteRefused(nameOf(operation), boughtAt)
  account.keep({ kind: 'refusal', operation: nameOf(operation), boughtAt })
}

/** Notes what an answer tells of the key's plan, and stores it if the key seemed to be a trial key. */
export function noteTrial({ account, operation }: Sent, boughtAt: number): void {
  const { isTrial: wasTrial, refusedAt } = account.trialSigns
  if (isBulk(operation)) account.trialSigns.noteAllowed(boughtAt)
  if (!wasTrial) return
  const isOver = !account.trialSigns.isTrial
  account.keep({ kind: 'trial', operation: '', boughtAt, refusedAt, isOver })
}
