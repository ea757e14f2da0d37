import { BadUserInputError } from '../errors/errors.ts'
import type { TableName } from '../specification/tables.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (id: string) => uuid.test(id)

/** The scope in a global id: its parts by the service's names. Without a part the id does not name it. */
export interface IdScope {
  readonly organization_id?: string | undefined
  readonly division_id?: string | undefined
  readonly season?: number | undefined
}

const nowhere: IdScope = {}

/** The opaque global id of the Relay specification: type, key, and if it has a scope, season and league. */
export const globalId = (typeName: string, key: string, scope = nowhere) =>
  Buffer.from(`${typeName}:${key}${suffixOf(scope)}`).toString('base64')

function suffixOf({ organization_id, division_id, season }: IdScope): string {
  if (organization_id !== undefined) return `:${season ?? ''}:${organization_id}:${division_id ?? ''}`
  return season === undefined ? '' : `:${season}`
}

interface Decoded {
  readonly typeName: string
  readonly key: string
  readonly scope: IdScope
}

/** The type, the key and the scope in a global id; null if it is not one. */
export function decodeGlobalId(id: string): Decoded | null {
  const [, typeName = '', key = '', ...rest] = wholeId.exec(Buffer.from(id, 'base64').toString('utf8')) ?? []
  if (!uuid.test(key)) return null
  const [season, organization_id, division_id] = rest.map((part) => part?.toLowerCase() || undefined)
  const scope = {
    ...(organization_id && { organization_id }),
    ...(division_id && { division_id }),
    ...(season && { season: Number(season) }),
  }
  return { typeName, key: key.toLowerCase(), scope }
}

const ofUuid = '[0-9a-f-]{36}'
const wholeId = new RegExp(`^(\\w+):(${ofUuid})(?::(\\d{0,9}))?(?::(${ofUuid}):(${ofUuid})?)?$`, 'i')

/** Types by table, for ids in arguments. Filled as tables are defined. */
const typeNames = new Map<TableName, Set<string>>()

export function registerTypeName(table: TableName, typeName: string): void {
  const names = typeNames.get(table)
  if (names) names.add(typeName)
  else typeNames.set(table, new Set([typeName]))
}

/** The key in an argument, which is a global id or a UUID. Throws BadUserInputError. */
export const parseId = (id: string, table: TableName): string => parseScopedId(id, table).key

/** The same with the scope that a global id names. */
export function parseScopedId(id: string, table: TableName): ScopedKey {
  const found = scopedKeyIn(id, table)
  if (!found) throw new BadUserInputError(invalidId(id, table))
  return found
}

export type ScopedKey = Pick<Decoded, 'key' | 'scope'>

/** The same for an id of a list; null if it is invalid. */
export function scopedKeyIn(id: string, table: TableName): ScopedKey | null {
  if (isUuid(id)) return { key: id.toLowerCase(), scope: nowhere }
  const decoded = decodeGlobalId(id)
  return decoded && typeNames.get(table)?.has(decoded.typeName) ? decoded : null
}

/** What clients read about an invalid id. */
export const invalidId = (id: string, table: TableName): string =>
  `${JSON.stringify(id.slice(0, 80))} is not a valid ${table.replaceAll('_', ' ')} id.`

/** The table of a type name in a global id. */
export function tableOfType(typeName: string): TableName | undefined {
  for (const [table, names] of typeNames) if (names.has(typeName)) return table
  return undefined
}
