import { useEffect } from 'react'

/** Calls again and again while the component is mounted; not at all without a time. */
export function usePoll(call: () => void, everyMs: number | undefined) {
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(call, everyMs)
    return () => clearInterval(timer)
  }, [call, everyMs])
}
