const minute = 60_000

/** Passes each text on at once, and the same text again at the earliest after a minute. */
export function onceAMinute(
  warn: (text: string) => void,
  clock = () => performance.now(),
): (text: string) => void {
  const warnedAt = new Map<string, number>()
  return (text) => {
    const now = clock()
    for (const [known, at] of warnedAt) if (now - at >= minute) warnedAt.delete(known)
    if (warnedAt.has(text)) return
    warnedAt.set(text, now)
    warn(text)
  }
}
