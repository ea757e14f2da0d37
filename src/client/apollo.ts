export * from './generated/apollo.ts'
export { cacheOptions } from './apollo-cache.ts'
export { LiveLink } from './apollo-link.ts'
