import { greatestAge } from '../../greatest-age.ts'

/** Milliseconds by which a connection to Redis is used, left alone and replaced. */
export interface RedisTimes {
  /** To wait for an answer of Redis before this instance goes on alone. */
  readonly longestWait: number
  /** Between two ticks. While Redis is away, each of them probes it. */
  readonly tickEvery: number
  /** Between two attempts to connect: first and longest. */
  readonly firstRetry: number
  readonly lastRetry: number
  /** Of silence after which a new connection is opened. */
  readonly longestSilence: number
  /** Of use after which a connection is replaced by a new one. Read for each tick. */
  readonly greatestAge: number
  /** For which Redis is left alone after it was in use and failed soon: first and longest. */
  readonly firstPause: number
  readonly longestPause: number
  /** Of use after which it counts as healthy. */
  readonly settledAfter: number
}

export const redisTimes: RedisTimes = {
  longestWait: 50,
  tickEvery: 500,
  firstRetry: 50,
  lastRetry: 1_000,
  longestSilence: 5_000,
  greatestAge,
  firstPause: 500,
  longestPause: 10_000,
  settledAfter: 10_000,
}
