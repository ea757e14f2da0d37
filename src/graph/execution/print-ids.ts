import { LRUCache } from 'lru-cache'

/** Maximum characters of the selections whose ids are known. */
const mostKnown = 1_000_000

let lastId = 0
const known = new LRUCache<string, number>({
  maxSize: mostKnown,
  sizeCalculation: (_, text) => text.length + 100,
})

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
  known.set(text, (id = lastId += 1))
  return id
}

interface PrintedColumn {
  readonly responseName: string
  readonly definition: { readonly name: string }
}
