import type { Arguments } from './operation.ts'

/** Joined answers leave out what the service has withdrawn; only a filter that asks for such rows brings them. */
export const standing = (given: Arguments): Arguments =>
  given.has('deleted') ? given : new Map([...given, ['deleted', [0]]])
