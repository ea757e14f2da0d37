import { nameUuids } from './name-uuid.ts'

const uuidOf = nameUuids('0b7e1f3c-5a54-5c1e-8d8a-7c1f2e9b6a10')

/** The id of a computed row: UUID version 5 of what identifies it, always the same. */
export const identify = (...parts: (string | number)[]): string => uuidOf(parts.join('/'))
