/** Pauses before another try, in milliseconds: the first, which is doubled each time, and the longest. */
export interface Pauses {
  readonly first: number
  readonly longest: number
}

/**
 * Milliseconds to wait after so many failures in a row. Random, so that clients of one server do not return
 * at once.
 */
export const pauseAfter = (failures: number, { first, longest }: Pauses): number =>
  Math.min(first * 2 ** (failures - 1), longest) * (0.5 + Math.random() / 2)

/** Waits, or until `signal` is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}

/** Fails with `message` after so many milliseconds without a result: a lost network closes no connection. */
export function inTime<T>(coming: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms)
  })
  return Promise.race([coming, late]).finally(() => clearTimeout(timer))
}
