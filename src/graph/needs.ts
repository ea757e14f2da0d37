import type { Selection } from '../plan/selection.ts'

type Names = readonly string[] | ((args: Record<string, unknown>) => readonly string[])

/**
 * What a field needs of the row that it stands on, and where its own selection belongs. Read by the planner
 * alone.
 */
export interface Needs {
  readonly columns?: Names
  readonly relations?: Names
  /** Whether its relations are asked for by the row's key alone, so that they need not wait for the row. */
  readonly byKeyAlone?: true | ((selection: Selection) => boolean)
  /** Whether its relations are asked for beside the read of its columns, and not after it. */
  readonly besideColumns?: true
  /** Where its selection belongs: the same row, or the row that it links to. */
  readonly into?: 'self' | { readonly link: string }
}
