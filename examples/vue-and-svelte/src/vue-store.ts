import { onScopeDispose, shallowRef } from 'vue'
import type { Ref } from 'vue'

interface Store<Snapshot> {
  getSnapshot(): Snapshot
  subscribe(listener: () => void): () => void
}

/** What a store of Statline’s client shows, for a component’s template. */
export function useStore<Snapshot>(store: Store<Snapshot>): Readonly<Ref<Snapshot>> {
  const shown = shallowRef(store.getSnapshot())
  onScopeDispose(store.subscribe(() => (shown.value = store.getSnapshot())))
  return shown
}
