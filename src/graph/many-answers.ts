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

/** Resolves one field for the objects of a level. */
export interface Relation<P, Args, R> {
  /** The columns that its call brings of the rows that it leads to; undefined if all. */
  readonly columns?: readonly string[] | undefined
  resolveMany(parents: readonly P[], args: Args, context: Context, info: GraphQLResolveInfo): ManyAnswers<R>
}

/** Resolves a relation for one parent. */
export function resolveOne<P, Args, R>(
  relation: Relation<P, Args, R>,
  parent: P,
  args: Args,
  context: Context,
  info: GraphQLResolveInfo,
): MaybePromise<R | undefined> {
  const { values, branches } = relation.resolveMany([parent], args, context, info)
  const [value] = values
  if (value !== pending) return valueOf(value)
  return Promise.resolve(branches)
    .then((several) => several?.[0]?.values)
    .then((found) => valueOf(found?.[0]))
}

function valueOf<R>(value: R | Error): R {
  if (value instanceof Error) throw value
  return value
}
