import { BadUserInputError } from '../upstream/errors.ts'
import type { TableName } from '../specification/tables.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (id: string) => uuid.test(id)

/** The opaque global id of the Relay specification. */
export const globalId = (typeName: string, key: string) =>
  Buffer.from(`${typeName}:${key}`).toString('base64')

/** The type and the key in a global id; null if it is not one. */
export function decodeGlobalId(id: string): { typeName: string; key: string } | null {
  const [typeName = '', key = '', ...rest] = Buffer.from(id, 'base64').toString('utf8').split(':')
  return /^\w+$/.test(typeName) && uuid.test(key) && rest.length === 0
    ? { typeName, key: key.toLowerCase() }
    : null
}

/** Types by table, for ids in arguments. Filled as tables are defined. */
const typeNames = new Map<TableName, Set<string>>()

export function registerTypeName(table: TableName, typeName: string): void {
  const names = typeNames.get(table)
  if (names) names.add(typeName)
  else typeNames.set(table, new Set([typeName]))
}

/** The key in an argument, which is a global id or a UUID. Throws BadUserInputError. */
export function parseId(id: string, table: TableName): string {
  if (isUuid(id)) return id.toLowerCase()
  const decoded = decodeGlobalId(id)
  if (decoded && typeNames.get(table)?.has(decoded.typeName)) return decoded.key
  throw new BadUserInputError(
    `${JSON.stringify(id.slice(0, 80))} is not a valid ${table.replaceAll('_', ' ')} id.`,
  )
}

/** The table of a type name in a global id. */
export function tableOfType(typeName: string): TableName | undefined {
  for (const [table, names] of typeNames) if (names.has(typeName)) return table
  return undefined
}
