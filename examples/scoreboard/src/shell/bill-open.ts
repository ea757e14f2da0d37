const item = 'statline-bill'
const listeners = new Set<() => void>()
let isOpen = stored()

function stored(): boolean {
  try {
    return sessionStorage.getItem(item) === 'open'
  } catch {
    return false
  }
}

/** Whether the bill is open, remembered for the tab. Queries ask for their calls only then. */
export const billOpen = {
  current: () => isOpen,
  set(next: boolean): void {
    if (next === isOpen) return
    isOpen = next
    try {
      sessionStorage.setItem(item, next ? 'open' : 'closed')
    } catch {
      // A browser that keeps nothing still shows it until the page is loaded anew.
    }
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
