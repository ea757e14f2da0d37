import type { GraphQLResolveInfo } from 'graphql'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import type { Context } from './context.ts'

/** Resolves a field of one object. */
type Resolve<P, Args, R> = (
  parent: P,
  args: Args,
  context: Context,
  info: GraphQLResolveInfo,
) => MaybePromise<R>

/**
 * The resolver of a column or a relation. The executor answers these for all objects of a level, so it is never called:
 * it gives Pothos the types of the parent and of the answer.
 */
export const byLevel = <P, Args, R>(): Resolve<P, Args, R> => neverCalled

const neverCalled = (): never => {
  throw new Error('Columns and relations are resolved by level.')
}
