export * from './generated/apollo.ts'
export * from './generated/graphql.ts'
export * from './generated/fragment-masking.ts'
export { cacheOptions } from './apollo-cache.ts'
