/** A value or a promise of it. A promise for each field would make a GraphQL server slow. */
export type MaybePromise<V> = V | Promise<V>

/** Applies a function to the value, now or when it has come. */
export function andThen<A, B>(value: MaybePromise<A>, step: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then(step) : step(value)
}

/** Marks a rejection as handled, because nobody may be waiting for it. */
export function handled<V>(promise: Promise<V>): Promise<V> {
  promise.catch(() => {})
  return promise
}
