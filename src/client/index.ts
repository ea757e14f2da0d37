export * from './generated/graphql.ts'
export { makeFragmentData, readFragment } from './fragments.ts'
export type { FragmentType } from './fragments.ts'
export type { DataOf, Typed, TypedDocument, VariablesOf } from './document.ts'
export { hashOf } from './hash.ts'
export { Client } from './client.ts'
export type { Asked, ClientOptions, QueryOptions, State } from './client.ts'
export type { Answer, FieldError, Live, Stale, Usage } from './answer.ts'
export {
  AccessError,
  BudgetError,
  NoAnswerError,
  NotGraphQLError,
  OverloadedError,
  QueryError,
  queryErrorOf,
  ServiceError,
  UnreachableError,
} from './errors.ts'
export type { Heard, LiveStore } from './live-store.ts'
export { socketOptions } from './socket-options.ts'
export type { SocketClass, SocketOptions, SocketWatcher } from './socket-options.ts'
export type { PlanEntry, Span } from './plan.ts'
export type { Price } from './price.ts'
export type { Kept, QueryStore, Shown } from './query-store.ts'
export type { Store } from './store.ts'
