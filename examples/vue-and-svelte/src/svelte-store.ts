import { readable } from 'svelte/store'
import type { Readable } from 'svelte/store'

interface Store<Snapshot> {
  getSnapshot(): Snapshot
  subscribe(listener: () => void): () => void
}

/** What a store of Statline’s client shows, as a store of Svelte: `$name` in a component. */
export const shownBy = <Snapshot>(store: Store<Snapshot>): Readable<Snapshot> =>
  readable(store.getSnapshot(), (set) => {
    set(store.getSnapshot())
    return store.subscribe(() => set(store.getSnapshot()))
  })
