/**
 * Milliseconds after which a connection gets no further request, so that a name that has moved is followed although its
 * old machine still answers.
 */
export const greatestAge = 120_000

/** A random time up to the given one, so that instances that began together do not connect anew together. */
export const jittered = (ms: number): number => ms * (0.75 + Math.random() / 4)
