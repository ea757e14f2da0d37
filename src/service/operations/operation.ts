import type { Kysely } from 'kysely'
import type { Kind } from '../../specification/columns.ts'
import type { Schema } from '../store/schema.ts'
import type { Plan } from '../keys/plans.ts'
import type { Sports } from './sports.ts'
import type { Written } from './template.ts'

export interface Context {
  readonly db: Kysely<Schema>
  /** For rows that are computed when they are asked for. */
  readonly writer: Kysely<Schema>
  readonly sports: Sports
  readonly plan: Plan
}

/** The values of one argument: a row matches when it has any of them. */
export type Values = readonly (string | number)[]

/** What a request asks for, each argument by the name of the specification, already of its kind. */
export type Arguments = ReadonlyMap<string, Values>

export type Accepted = Readonly<Record<string, Kind>>

/** What an operation needs of a plan: `read`, or nothing beyond a valid key (specification §5). */
export type Need = 'read'

export interface Operation {
  readonly accepts: Accepted
  /** Each must be given. Of an inner list, one must be given whole. */
  readonly requires?: readonly (string | readonly (readonly string[])[])[]
  readonly needs?: Need
  /** How the database writes the answer in one statement; undefined for a call that needs more. The text is the same. */
  written?(given: Arguments): Written | undefined
  /** The answer as JSON text. */
  answer(context: Context, given: Arguments): Promise<string>
}

/** The functions of one class. */
export type OperationClass = Readonly<Record<string, Operation>>
