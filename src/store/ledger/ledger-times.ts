/** Milliseconds by which instances judge each other. Each time is longer than the one before it. */
export interface LedgerTimes {
  /** Until an instance asks again whether all have sent what Redis has lost. */
  readonly askEvery: number
  /** Between two heartbeats of an instance, which also fetch the others' spending. */
  readonly beatEvery: number
  /** Without a heartbeat after which one that comes back has all wait for this instance. */
  readonly missedAfter: number
  /** Without a reply of Redis after which a process tells nothing new of itself: its command may have waited. */
  readonly silentAfter: number
  /** Without a sign of a process after which it counts as ended. */
  readonly endedAfter: number
}

export const ledgerTimes: LedgerTimes = {
  askEvery: 250,
  beatEvery: 2_000,
  missedAfter: 2_500,
  silentAfter: 3_000,
  endedAfter: 15_000,
}
