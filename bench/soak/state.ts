/** What Statline's process holds after a garbage collection: bytes, and open sockets and timers. */
export interface State {
  readonly heap: number
  readonly external: number
  readonly rss: number
  /** What the cache counts, and may count. */
  readonly cache: number
  readonly capacity: number
  readonly sockets: number
  readonly timers: number
}

/** What the process tells its parent: where it listens, then its state whenever it is asked. */
export interface Told {
  readonly url?: string
  readonly state?: State
}
