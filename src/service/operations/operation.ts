import type { Kysely } from 'kysely'
import type { Kind } from '../../specification/columns.ts'
import type { JsonSql } from '../store/json-sql.ts'
import type { Schema } from '../store/schema.ts'
import type { Plan } from '../keys/plans.ts'
import type { Sports } from './sports.ts'

export interface Context {
  readonly db: Kysely<Schema>
  /** For rows that are computed on request. */
  readonly writer: Kysely<Schema>
  readonly sports: Sports
  readonly plan: Plan
}

/** The values of one argument. A row matches if it has any of them. */
export type Values = readonly (string | number)[]

/** The arguments of a request by their specified names, already converted. */
export type Arguments = ReadonlyMap<string, Values>

export type Accepted = Readonly<Record<string, Kind>>

/**
 * A statement that writes a whole answer for any conditions. Its row has the text and the number of rows in
 * it.
 */
export interface Template {
  /** The columns of possible conditions, with their kinds. */
  readonly kinds: Accepted
  /** The SQL of a column in a condition. */
  readonly column: (name: string) => string
  /** Maximum rows of an answer; null if the arguments limit their number. */
  readonly most: number | null
  /** The SQL, with `?` for values. */
  readonly sql: (json: JsonSql, conditions: string) => string
}

/** A call that the database answers: a template and the conditions of its arguments. */
export interface Written {
  readonly template: Template
  readonly filters: Arguments
}

/** The right that an operation needs: `read`, or nothing beyond a valid key (specification §5). */
export type Need = 'read'

export interface Operation {
  readonly accepts: Accepted
  /** Required arguments. Of an inner list, all of one list are required. */
  readonly requires?: readonly (string | readonly (readonly string[])[])[]
  readonly needs?: Need
  /**
   * The single statement with which the database writes the answer, as the same text; undefined for a call
   * that needs more.
   */
  written?(given: Arguments): Written | undefined
  /** The answer as JSON text. */
  answer(context: Context, given: Arguments): Promise<string>
}

/** The functions of one class. */
export type OperationClass = Readonly<Record<string, Operation>>
