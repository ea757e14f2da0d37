export * from './generated/urql.ts'
export type { LiveState } from './urql-hook.ts'
