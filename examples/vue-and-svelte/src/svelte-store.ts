import type { Store } from 'statline-client'
import { readable } from 'svelte/store'
import type { Readable } from 'svelte/store'

/** What a store of Statline’s client shows, as a store of Svelte: `$name` in a component. */
export const shownBy = <Shown>(store: Store<Shown>): Readable<Shown> =>
  readable(store.getSnapshot(), (set) => {
    set(store.getSnapshot())
    return store.subscribe(() => set(store.getSnapshot()))
  })
