import type { Arguments } from './operation.ts'

/** Joined answers leave out withdrawn rows unless a filter asks for them. */
export const standing = (given: Arguments): Arguments =>
  given.has('deleted') ? given : new Map([...given, ['deleted', [0]]])
