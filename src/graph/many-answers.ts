import type { GraphQLResolveInfo } from 'graphql'
import type { ObjectBranch } from '../loading/ask.ts'
import type { Context } from './context.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'

/** Marks a value that a branch will bring. */
export const pending = Symbol('pending')

/** The values of a relation for several parents. */
export interface ManyAnswers<R> {
  /** For each parent: its value, an error, a promise, or `pending` if a branch brings it. */
  readonly values: readonly (MaybePromise<R> | Error | typeof pending)[]
  /** The branches, known once the calls are planned; null if no call is needed. */
  readonly branches: Promise<readonly ObjectBranch<R>[]> | null
}

/** Resolves one field for several parents, or for one. */
export interface Relation<P, Args, R> {
  /** The columns that its call brings of the rows that it leads to; undefined if all. */
  readonly columns?: readonly string[] | undefined
  resolveMany(parents: readonly P[], args: Args, context: Context, info: GraphQLResolveInfo): ManyAnswers<R>
}
