import type { GraphQLResolveInfo } from 'graphql'
import type { Answered } from './ask.ts'
import type { Context } from './context.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** Stands for a value that a branch will bring. */
export const pending = Symbol('pending')

/** The values of a relation for several parents. */
export interface ManyAnswers<R> {
  /** By parent: its value, an error, a promise of its own, or `pending` where a branch brings it. */
  readonly values: readonly (MaybePromise<R> | Error | typeof pending)[]
  /** The branches, once it is known what is called for whom; null where nothing is asked. */
  readonly branches: Promise<readonly Answered<R>[]> | null
}

/** Resolves one field for several parents, or for one. */
export interface Relation<P, Args, R> {
  resolveMany(parents: readonly P[], args: Args, context: Context, info: GraphQLResolveInfo): ManyAnswers<R>
}
