import { v5 } from 'uuid'

const namespace = '0b7e1f3c-5a54-5c1e-8d8a-7c1f2e9b6a10'

/** The key of a row that follows from others: UUID version 5 of what identifies it, the same whenever it is computed. */
export const identify = (...parts: (string | number)[]): string => v5(parts.join('/'), namespace)
