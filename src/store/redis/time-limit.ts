/** A limit was reached. */
export class TooSlowError extends Error {}

/** A timer that fires more milliseconds too late tells that this process was busy. */
const slack = 10

/** A busy process waits at most this many times as long. */
const longestFactor = 10

/**
 * The value, or TooSlowError after `ms` in which this process could have read it. While it is busy with
 * something else, it neither sends nor reads, and that time says nothing about the other side.
 */
export function within<T>(value: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const last = performance.now() + ms * longestFactor
    let timer: NodeJS.Timeout | undefined
    let isDone = false
    const wait = (forMs: number) => {
      const due = performance.now() + forMs
      const expire = () => {
        if (isDone) return
        const now = performance.now()
        if (now - due > slack && now < last) wait(Math.min(ms, now - due))
        else reject(new TooSlowError(`There was no answer within ${ms} ms.`))
      }
      // The answer may already be waiting to be read.
      timer = setTimeout(() => setImmediate(() => setImmediate(expire)), forMs)
    }
    const done = () => {
      isDone = true
      clearTimeout(timer)
    }
    wait(ms)
    value.then(
      (come) => (done(), resolve(come)),
      (error: unknown) => (done(), reject(error)),
    )
  })
}
