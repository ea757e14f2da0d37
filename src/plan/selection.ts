/**
 * What a query wants of a row: columns, facets (what other operations say of it), and the rows that it links
 * to.
 */
export interface Selection {
  readonly columns: ReadonlySet<string>
  readonly facets: ReadonlySet<string>
  readonly links: ReadonlyMap<string, Selection>
}

export const nothing: Selection = { columns: new Set(), facets: new Set(), links: new Map() }

/** All that any of several wants. */
export function union(wants: readonly Selection[]): Selection {
  const [first = nothing] = wants
  // Fields of one document share what they want.
  if (wants.every((want) => want === first)) return first
  const names = new Set(wants.flatMap((want) => [...want.links.keys()]))
  return {
    columns: new Set(wants.flatMap((want) => [...want.columns])),
    facets: new Set(wants.flatMap((want) => [...want.facets])),
    links: new Map(
      [...names].map((name) => [name, union(wants.flatMap((want) => want.links.get(name) ?? []))] as const),
    ),
  }
}
