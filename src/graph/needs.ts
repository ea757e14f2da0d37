import type { Selection } from '../plan/selection.ts'

type Names = readonly string[] | ((args: Record<string, unknown>) => readonly string[])

/**
 * What a field needs of its parent's row, and where its own selection belongs. Only the planner reads this.
 */
export interface Needs {
  readonly columns?: Names
  readonly relations?: Names
  /** Whether its relations need only the row's key, so that they can be loaded before the row. */
  readonly byKeyAlone?: true | ((selection: Selection) => boolean)
  /** Whether its relations are loaded in parallel with its columns. */
  readonly besideColumns?: true
  /** Where its selection belongs: to the same row, or to a linked one. */
  readonly into?: 'self' | { readonly link: string }
}
