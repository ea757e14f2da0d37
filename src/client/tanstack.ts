export * from './generated/tanstack.ts'
export { StatlineProvider, useClient } from './provider.ts'
export type { Followed, LiveHook, QueryHook, QueryHookOptions } from './tanstack-hook.ts'
