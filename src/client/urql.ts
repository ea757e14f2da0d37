export * from './generated/urql.ts'
export * from './generated/graphql.ts'
export * from './generated/fragment-masking.ts'
export { hashOf } from './hash.ts'
