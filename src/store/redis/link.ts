import { jittered } from '../../greatest-age.ts'
import { clientOf } from './client.ts'
import type { Client } from './client.ts'
import { notConnected, tooSlow } from './faults.ts'
import type { RedisTimes } from './redis-times.ts'

/** Errors of connections between two calls of `renew`, after which the client is replaced. */
const mostErrors = 20

interface Listeners {
  /** Called each time the client is connected. */
  readonly onReady: (client: Client) => void
  /** Called with the reason each time a connection breaks or cannot be made. */
  readonly onFault: (reason: string) => void
}

/**
 * The client of Redis. It connects again by itself, and is replaced if that does not help. One that is old can be
 * succeeded by another, which its user tries first.
 */
export class RedisLink {
  readonly #url: string
  readonly #times: RedisTimes
  readonly #listeners: Listeners
  #client: Client
  /** A client that may succeed the one in use. */
  #next: Client | null = null
  /** The client before the one in use, which may wait for answers. */
  #last: Client | null = null
  #connectedAt = Number.POSITIVE_INFINITY
  readonly #jitter = jittered(1)
  /** Since when a server that has accepted the connection does not answer, for example to the password. */
  #connectingSince: number | null = null
  /** Errors of connections since the last call of `renew`. */
  #errors = 0

  constructor(url: string, times: RedisTimes, listeners: Listeners) {
    this.#url = url
    this.#times = times
    this.#listeners = listeners
    this.#client = this.#connect()
  }

  get client(): Client {
    return this.#client
  }

  /** Whether the client was connected so long ago that its name may have moved. */
  get isOld(): boolean {
    return performance.now() - this.#connectedAt >= this.#times.greatestAge * this.#jitter
  }

  /** A second client, which is being connected. The first one is not old for as long again. */
  another(): Client {
    this.#connectedAt = performance.now()
    this.#next?.destroy()
    return (this.#next = this.#connect())
  }

  /** Uses the second client in place of the first, which is closed when its commands are answered. */
  succeed(): void {
    if (!this.#next) return
    this.#last?.destroy()
    this.#last = this.#client
    this.#client = this.#next
    this.#next = null
    this.#last.close().catch(() => {})
  }

  /** Replaces a client that fails again and again, or whose server is silent. To be called regularly. */
  renew(): void {
    const { longestSilence } = this.#times
    const isFailing = this.#errors >= mostErrors
    this.#errors = 0
    const isSilent =
      this.#connectingSince !== null && performance.now() - this.#connectingSince > longestSilence
    if (isSilent) this.#listeners.onFault(tooSlow(longestSilence))
    if (isFailing || isSilent) this.replace()
  }

  /** Connects with a new client. */
  replace(): void {
    this.close()
    this.#connectingSince = null
    this.#client = this.#connect()
  }

  close(): void {
    for (const client of [this.#client, this.#next, this.#last]) client?.destroy()
    this.#next = null
    this.#last = null
  }

  #connect(): Client {
    const client = clientOf(this.#url, this.#times)
    // A client does not know a socket that is still being connected, so that `destroy` leaves it open.
    client.on('connect', () => client.isOpen || client.destroy())
    // A client that was replaced is not listened to.
    const on = (event: 'connect' | 'ready' | 'error', listener: (error: unknown) => void) =>
      client.on(event, (error: unknown) => client === this.#client && listener(error))
    on('connect', () => (this.#connectingSince = performance.now()))
    on('ready', () => {
      this.#connectingSince = null
      this.#connectedAt = performance.now()
      this.#listeners.onReady(client)
    })
    on('error', (error) => this.#failed(error))
    // Rejects only if it is closed on purpose.
    client.connect().catch(() => {})
    return client
  }

  /**
   * The client connects without a pause after a connection that was accepted and then closed. If that happens
   * many times, it is closed until the next call of `renew`.
   */
  #failed(error: unknown): void {
    this.#connectingSince = null
    this.#listeners.onFault(notConnected(error))
    this.#errors += 1
    if (this.#errors === mostErrors) this.close()
  }
}
