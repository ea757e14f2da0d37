/**
 * A value that may be at hand, or a promise of it. A promise for each field is what makes a GraphQL server
 * slow.
 */
export type MaybePromise<V> = V | Promise<V>

/** Applies a step to a value that may be at hand. */
export function andThen<A, B>(value: MaybePromise<A>, step: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then(step) : step(value)
}
