import { randomBytes } from 'node:crypto'
import { RESP_TYPES } from '@redis/client'
import { Availability } from './availability.ts'
import type { OnChange } from './availability.ts'
import type { Client } from './client.ts'
import { isAnswer, isFull, notConnected, reasonOf, refusalOf, tooSlow } from './faults.ts'
import { RedisLink } from './link.ts'
import { probeScript, secretScript } from './probe.ts'
import { redisTimes } from './redis-times.ts'
import type { RedisTimes } from './redis-times.ts'
import type { Script } from './script.ts'
import { TooSlowError, within } from './time-limit.ts'

/** While Redis is in use, each nth tick checks that it still has its data. */
const checkEvery = 4

/** Redis is away or too slow. Go on without it. */
export class RedisAwayError extends Error {}

/** The prefix of all keys in Redis. The number is the version of the format. */
export const prefix = 'statline:1:'

type Argument = string | Buffer

export interface RedisOptions {
  /** Called with the reason each time Redis goes away, and with null when it is back. */
  readonly onChange?: OnChange
  /** Milliseconds to wait for an answer. Read for each command. */
  readonly longestWaitMs?: number
  readonly times?: RedisTimes
  /** The secret of an earlier start. A Redis that has none gets it, so that keys keep their names. */
  readonly secret?: string | undefined
}

/**
 * The connection to Redis. It is opened in the background, and again when it breaks. Each command has a time
 * limit. After the first one that exceeds it, Redis counts as away, and commands fail at once until Redis
 * answers a probe within the same limit. If Redis fails soon after it was joined, the next probe waits longer.
 */
export class RedisConnection {
  readonly #options: RedisOptions
  readonly #times: RedisTimes
  readonly #state: Availability
  readonly #link: RedisLink
  #secret: string | null = null
  /** The secret for a Redis that has none: that of an earlier start, or a new one. */
  readonly firstSecret: string
  #isProbing = false
  #isClosed = false
  #ticks = 0
  readonly #timer: NodeJS.Timeout

  constructor(url: string, options: RedisOptions = {}) {
    const { onChange, secret, times = redisTimes } = options
    this.firstSecret = secret ?? randomBytes(32).toString('base64url')
    this.#options = options
    this.#times = times
    this.#state = new Availability(times)
    if (onChange) this.onChange(onChange)
    this.#link = new RedisLink(url, times, {
      onReady: (client) => !this.#state.isPaused && void this.#join(client),
      onFault: (reason) => this.#failed(reason),
    })
    this.#timer = setInterval(() => this.#tick(), times.tickEvery).unref()
  }

  get #longestWait(): number {
    return this.#options.longestWaitMs ?? this.#times.longestWait
  }

  /** Why Redis is not used; null while it is. It contains neither an address nor a password. */
  get reason(): string | null {
    return this.#state.reason
  }

  get isUp(): boolean {
    return this.#state.isUp
  }

  /**
   * The secret that all instances share, stored in Redis. Throws RedisAwayError if Redis was never reached.
   */
  get secret(): string {
    if (this.#secret === null) throw new RedisAwayError('Redis has not been reached yet.')
    return this.#secret
  }

  /** Looks whether Redis has lost its data and has another secret. If so, listeners hear that it was away. */
  async lookForSecret(): Promise<void> {
    await within(this.#check(this.#link.client), this.#longestWait).catch(() => {})
  }

  onChange(listener: OnChange): void {
    this.#state.onChange(listener)
  }

  /** Resolves when Redis is in use, or after `ms`. */
  async ready(ms: number): Promise<boolean> {
    for (const end = performance.now() + ms; !this.isUp && performance.now() < end;)
      await new Promise((again) => setTimeout(again, 5))
    return this.isUp
  }

  /**
   * Sends a command. Throws RedisAwayError if Redis does not answer in time, or the error that Redis returns.
   */
  send(command: readonly Argument[], longestWaitMs = this.#longestWait): Promise<unknown> {
    return this.#within(longestWaitMs, (client) => client.sendCommand(command))
  }

  /**
   * Sends a command of a long read. It goes out also while Redis counts as away, and a slow answer does not
   * make Redis count as away. Throws RedisAwayError if Redis is not connected or does not answer in time, or
   * the error that Redis returns.
   */
  async read(command: readonly Argument[], longestWaitMs: number): Promise<unknown> {
    const { client } = this.#link
    if (!client.isReady) throw new RedisAwayError(this.reason ?? 'Redis is not connected.')
    try {
      return await within(client.sendCommand(command), longestWaitMs)
    } catch (error) {
      throw isAnswer(error) ? error : new RedisAwayError(reasonOf(error, longestWaitMs))
    }
  }

  /** Runs a script. Its bulk strings are returned as buffers. */
  async run(
    { source, hash }: Script,
    keys: readonly string[],
    values: readonly Argument[],
    longestWaitMs = this.#longestWait,
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...values]
    const raw = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }
    const send = (...command: Argument[]) =>
      this.#within(longestWaitMs, (client) => client.sendCommand([...command, ...rest], raw))
    try {
      return await send('EVALSHA', hash)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return await send('EVAL', source)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#link.close()
  }

  async #within<T>(ms: number, run: (client: Client) => Promise<T>): Promise<T> {
    if (this.reason !== null) throw new RedisAwayError(this.reason)
    const { client } = this.#link
    try {
      return await within(run(client), ms)
    } catch (error) {
      if (isAnswer(error)) throw error
      const reason = reasonOf(error, ms)
      if (client === this.#link.client) this.#change(reason)
      throw new RedisAwayError(reason)
    }
  }

  #failed(reason: string): void {
    // That the connection was closed tells less than what was known before.
    const isKnown = reason === notConnected(null) && this.reason?.startsWith('Redis is not connected (')
    if (!isKnown) this.#change(reason)
  }

  #tick(): void {
    this.#link.renew()
    if (this.isUp && this.#link.isOld) void this.#succeed()
    this.#ticks += 1
    const { client } = this.#link
    if (this.isUp) {
      if (this.#ticks % checkEvery === 0) void this.#check(client)
    } else if (client.isReady && !this.#isProbing && !this.#state.isPaused) void this.#join(client)
  }

  /** Probes Redis, and uses it if it answers in time. One that stays silent gets a new connection. */
  async #join(client: Client): Promise<void> {
    const [longestWaitMs, { longestSilence }] = [this.#longestWait, this.#times]
    this.#isProbing = true
    try {
      const asked = this.#probe(client)
      const isInTime = within(asked, longestWaitMs).then(
        () => true,
        (error: unknown) => {
          if (error instanceof TooSlowError && client === this.#link.client)
            this.#change(tooSlow(longestWaitMs))
          return false
        },
      )
      const secret = await within(asked, longestSilence)
      if (client !== this.#link.client || !(await isInTime)) return
      this.#secret = secret
      this.#change(null)
    } catch (error) {
      // Redis is away again, or is not writable. The next probe will show.
      if (client !== this.#link.client) return
      if (error instanceof TooSlowError) {
        this.#change(tooSlow(longestSilence))
        this.#link.replace()
      } else if (isFull(error)) this.#change(notConnected(error))
      else if (client.isReady) this.#change(refusalOf(error) ?? 'Redis does not accept writes.')
    } finally {
      this.#isProbing = false
    }
  }

  /**
   * Goes on with a new connection, so that a name that has moved is followed though the old machine still answers. If
   * what it leads to cannot be used, the old one stays.
   */
  async #succeed(): Promise<void> {
    const { client } = this.#link
    const next = this.#link.another()
    try {
      await within(isReady(next), this.#times.longestSilence)
      const secret = await within(this.#probe(next), this.#longestWait)
      if (client !== this.#link.client || !this.isUp) return next.destroy()
      this.#link.succeed()
      this.#learn(secret)
    } catch {
      next.destroy()
    }
  }

  #probe(client: Client): Promise<string> {
    return this.#sharedSecret(client, probeScript, ['ledger:probe', '{probe}:probe'])
  }

  /** Redis' secret. If Redis has lost it, it is stored again, so that keys keep their names. */
  async #sharedSecret(client: Client, source: string, others: readonly string[] = []): Promise<string> {
    const own = this.#secret ?? this.firstSecret
    const keys = ['secret', ...others].map((name) => prefix + name)
    return String(await client.sendCommand(['EVAL', source, String(keys.length), ...keys, own]))
  }

  /**
   * Redis may have lost its data without a broken connection, and another instance may have stored a new
   * secret. While Redis has its secret, this writes nothing: it runs every two seconds, and Redis would log
   * each write.
   */
  async #check(client: Client): Promise<void> {
    try {
      const secret = await this.#sharedSecret(client, secretScript)
      if (client === this.#link.client && this.isUp) this.#learn(secret)
    } catch {
      // The next command will show the error.
    }
  }

  /** Redis has another secret if it has lost its data. */
  #learn(secret: string): void {
    if (secret === this.#secret) return
    this.#secret = secret
    this.#change('Redis has lost what it had.')
    this.#change(null)
  }

  #change(reason: string | null): void {
    if (!this.#isClosed) this.#state.change(reason)
  }
}

/** Resolves when a client can be used. Rejects when it cannot be connected, or is destroyed. */
const isReady = (client: Client) =>
  new Promise<void>((resolve, reject) => {
    client.once('ready', resolve)
    for (const event of ['error', 'end']) client.once(event, reject)
  })
