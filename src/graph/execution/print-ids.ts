/** Maximum ids that are known by what they print. */
const mostKnown = 10_000

let lastId = 0
const known = new Map<string, number>()

/**
 * An id for how columns of a type are printed. Equal selections have the same one, in whatever field or
 * document they stand, so that they share the text of a row: a team is at home in one game and away in
 * another.
 */
export function printIdOf(type: string, columns: readonly PrintedColumn[]): number {
  const text = `${type} ${columns.map(({ responseName, definition }) => `${responseName}:${definition.name}`).join(' ')}`
  let id = known.get(text)
  if (id !== undefined) return id
  // Forgotten ids are not used again: their rows are printed anew.
  if (known.size >= mostKnown) known.clear()
  known.set(text, (id = lastId += 1))
  return id
}

interface PrintedColumn {
  readonly responseName: string
  readonly definition: { readonly name: string }
}
