export * from './generated/tanstack.ts'
export { StatlineProvider, useClient } from './provider.ts'
export { QueryError } from './tanstack-hook.ts'
