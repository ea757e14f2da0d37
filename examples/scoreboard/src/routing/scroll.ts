/** Milliseconds for which a page may grow to the height at which it was left. */
const patience = 5_000

interface Kept {
  readonly scrolled?: number
}

/** Keeps how far the page is scrolled with its entry of the history. */
export const keepPosition = (): void => history.replaceState({ scrolled: scrollY } satisfies Kept, '')

let timer: ReturnType<typeof setTimeout> | undefined

/** Keeps the position whenever scrolling pauses, because nothing announces that the reader goes back. */
export function keepPositions(): void {
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer)
      timer = setTimeout(keepPosition, 100)
    },
    { passive: true },
  )
}

/**
 * Scrolls to where the reader left this entry of the history, as soon as the page is high enough. Gives up
 * when the reader scrolls. Returns whether the entry has such a place.
 */
export function restorePosition(): boolean {
  clearTimeout(timer) // a pause that began on the page before
  const { scrolled } = (history.state ?? {}) as Kept // written above alone
  if (scrolled === undefined) return false
  const go = () => scrollTo(0, scrolled)
  const growth = new ResizeObserver(() => {
    go()
    if (scrollY >= scrolled) stop()
  })
  const stop = () => growth.disconnect()
  growth.observe(document.body)
  for (const event of ['wheel', 'touchstart', 'keydown']) addEventListener(event, stop, { once: true })
  setTimeout(stop, patience)
  go()
  return true
}
