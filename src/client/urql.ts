export * from './generated/urql.ts'
