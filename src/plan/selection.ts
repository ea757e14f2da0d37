/** What a query selects on a row: columns, relations (which other operations supply), and linked rows. */
export interface Selection {
  readonly columns: ReadonlySet<string>
  readonly relations: ReadonlySet<string>
  readonly links: ReadonlyMap<string, Selection>
}

export const nothing: Selection = { columns: new Set(), relations: new Set(), links: new Map() }

/** All that any of several wants. */
export function union(selections: readonly Selection[]): Selection {
  const [first = nothing] = selections
  // Fields of one document share what they want.
  if (selections.every((selection) => selection === first)) return first
  const names = new Set(selections.flatMap((selection) => [...selection.links.keys()]))
  return {
    columns: new Set(selections.flatMap((selection) => [...selection.columns])),
    relations: new Set(selections.flatMap((selection) => [...selection.relations])),
    links: new Map(
      [...names].map(
        (name) => [name, union(selections.flatMap((selection) => selection.links.get(name) ?? []))] as const,
      ),
    ),
  }
}
