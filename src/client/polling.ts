/** What timers can hold; a longer one would end at once. */
const longestTimer = 2 ** 31 - 1

const isHidden = () => globalThis.document?.visibilityState === 'hidden'

/**
 * Calls `ask` every so many milliseconds until the returned function is called; never if they are 0 or not a number. A
 * hidden page does not ask; it does at once when it is shown again, if it has missed its time.
 */
export function startPolling(ask: () => void, pollMs: number): () => void {
  if (!(pollMs > 0)) return () => {}
  let isDue = false
  const askIfShown = () => {
    isDue = isHidden()
    if (!isDue) ask()
  }
  const onChange = () => {
    if (isDue) askIfShown()
  }
  const timer = setInterval(askIfShown, Math.min(pollMs, longestTimer))
  globalThis.document?.addEventListener('visibilitychange', onChange)
  return () => {
    clearInterval(timer)
    globalThis.document?.removeEventListener('visibilitychange', onChange)
  }
}
