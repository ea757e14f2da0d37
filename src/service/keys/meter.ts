import { Refusal } from '../refusal.ts'
import type { Template } from '../operations/operation.ts'
import type { Conditions } from '../operations/template.ts'
import { UNWRITABLE } from '../store/json-sql.ts'
import type { Account } from './keys.ts'

const BYTES_A_TOKEN = 1024

/** The cost of an answer of this size: one token for each started kibibyte of its body. */
export const tokensFor = (bytes: number): number => Math.max(1, Math.ceil(bytes / BYTES_A_TOKEN))

/** The calendar month (UTC) of a time, `YYYY-MM`. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7)

/** An answer that was charged. */
export interface Sold {
  readonly text: string
  readonly bytes: number
  /** The tokens charged. */
  readonly usage: number
}

/** Charges answers. A charge is in the database before its answer is sent. */
export interface Meter {
  /** Throws if the month's quota is already spent, before the answer is made. */
  admit(account: Account): void
  /**
   * Throws if the charge would exceed the month's quota (which then costs nothing), or if the key was
   * revoked.
   */
  charge(account: Account, text: string): Promise<Sold>
  /**
   * An answer that the database writes, charged; undefined if it cannot write a number as JSON.stringify
   * does.
   */
  sell(account: Account, template: Template, conditions: Conditions): Promise<Sold | undefined> | undefined
}

export const spent = (quota: number) =>
  new Refusal('quota_exceeded', `This would go over the ${quota} usage tokens of the month.`)

export const revoked = () => new Refusal('invalid_key', 'The API key is not valid.')

/** The answer of `get` and `read` if nothing matches. */
const nothing = '{}'

/** The text that a template's statement found; undefined if it is not to be used. */
export function textOf(
  { most }: Template,
  text: string | null | undefined,
  rows: number | undefined,
): string | undefined {
  if (most !== null && (rows ?? 0) > most)
    throw new Refusal(
      'answer_too_large',
      `More than ${most} rows match: add arguments that narrow the answer.`,
    )
  const found = text ?? nothing
  return found.includes(UNWRITABLE) ? undefined : found
}
