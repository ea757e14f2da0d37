/** A client's operation that needs an answer, and how many of its rows, relative to the other users. */
export interface User {
  readonly client: string
  readonly operation: string
  readonly rows: number
}

/** Why a request is sent to the service. */
export interface Purpose {
  /** The service's operation. */
  readonly service: string
  /** The first is charged with the call; the tokens are divided among all. */
  readonly users: readonly [User, ...User[]]
  /** 1 for a call's first request, 0 for its retries. */
  readonly calls: number
}
