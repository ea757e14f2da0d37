import { onScopeDispose, shallowRef } from 'vue'
import type { ShallowRef } from 'vue'
import type { Store } from 'statline-client'

/** What a store of Statline’s client shows, for a component’s template. */
export function useStore<Shown>(store: Store<Shown>): Readonly<ShallowRef<Shown>> {
  const shown = shallowRef(store.getSnapshot())
  onScopeDispose(store.subscribe(() => (shown.value = store.getSnapshot())))
  return shown
}
