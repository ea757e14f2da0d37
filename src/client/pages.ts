/** A page of a list, as Relay’s connections have it. */
interface Connection {
  readonly edges: readonly unknown[]
  readonly pageInfo: { readonly hasNextPage?: boolean; readonly endCursor?: string | null }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isConnection = (value: object): value is Connection =>
  'edges' in value && Array.isArray(value.edges) && 'pageInfo' in value && isObject(value.pageInfo)

/**
 * The fields that lead to the first connection of an answer, or null. Lists are not searched: each entry
 * would have one.
 */
function pathTo(value: unknown): readonly string[] | null {
  if (!isObject(value)) return null
  if (isConnection(value)) return []
  for (const [name, child] of Object.entries(value)) {
    const path = pathTo(child)
    if (path) return [name, ...path]
  }
  return null
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isObject(part) ? Reflect.get(part, name) : undefined), value)

/** The cursor of the page after `data`; null if there is none. */
export function nextCursor(data: unknown): string | null {
  const path = pathTo(data)
  const pageInfo = path && connectionAt(data, path)?.pageInfo
  return pageInfo?.hasNextPage ? (pageInfo.endCursor ?? null) : null
}

/** `data` with the entries of its next page added; null if `next` has no page of that list. */
export function withPage<Data>(data: Data, next: Data | null): Data | null {
  const path = pathTo(data)
  const added = path && connectionAt(next, path)
  const known = path && connectionAt(data, path)
  if (!added || !known) return null
  return replaced(data, path, { ...added, edges: [...known.edges, ...added.edges] }) as Data // of the same shape
}

/** Whether `data` has a list that `next` does not have. */
export function lacksList(data: unknown, next: unknown): boolean {
  const path = pathTo(data)
  return path !== null && connectionAt(next, path) === null
}

function connectionAt(data: unknown, path: readonly string[]): Connection | null {
  const found = at(data, path)
  return isObject(found) && isConnection(found) ? found : null
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined || !isObject(value)) return by
  return { ...value, [name]: replaced(Reflect.get(value, name), rest, by) }
}
