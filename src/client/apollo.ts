export * from './generated/apollo.ts'
export { cacheOptions } from './apollo-cache.ts'
export { LiveLink } from './apollo-link.ts'
export type { LiveResult } from './apollo-hook.ts'
