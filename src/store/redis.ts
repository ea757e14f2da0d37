import { createHash, randomBytes } from 'node:crypto'
import { RESP_TYPES } from '@redis/client'
import { clientOf, longestSilence } from './redis-client.ts'
import type { Client } from './redis-client.ts'
import { isAnswer, isFull, notConnected, reasonOf, refusalOf, tooSlow } from './redis-faults.ts'
import { probeScript } from './redis-probe.ts'
import { RejoinPause } from './rejoin-pause.ts'
import { TooSlowError, within } from './time-limit.ts'

/** Milliseconds to wait for an answer of Redis before this instance goes on alone. */
const longestWait = 50

/** Milliseconds between probes while Redis is away. */
const probeEvery = 500
/** At each nth probe, checks that Redis still has its data. */
const checkEvery = 4
/** Errors of connections between two probes, after which the next one opens a new connection. */
const mostErrors = 20

/** Redis is away or too slow. Go on without it. */
export class RedisAwayError extends Error {}

/** The prefix of all keys in Redis. The number is the version of the format. */
export const prefix = 'statline:1:'

type Argument = string | Buffer

/** A script. It is sent by its hash if Redis knows it. */
export interface Script {
  readonly source: string
  readonly hash: string
}

export const script = (source: string): Script => ({
  source,
  hash: createHash('sha1').update(source).digest('hex'),
})

export interface RedisOptions {
  /** Called with the reason each time Redis goes away, and with null when it is back. */
  readonly onChange?: (reason: string | null) => void
  readonly longestWaitMs?: number
  /** The secret of an earlier start. A Redis that has none gets it, so that keys keep their names. */
  readonly secret?: string | undefined
}

/**
 * The connection to Redis. It is opened in the background, and again when it breaks. Each command has a time
 * limit. After the first one that exceeds it, Redis counts as away, and commands fail at once until Redis
 * answers a probe within the same limit. If Redis fails soon after it was joined, the next probe waits longer.
 */
export class RedisConnection {
  readonly #url: string
  readonly #longestWait: number
  readonly #listeners: ((reason: string | null) => void)[] = []
  #client: Client
  #reason: string | null = 'Redis is not connected yet.'
  #secret: string | null = null
  readonly #firstSecret: string
  #askedAt: number | null = null
  #isClosed = false
  #probes = 0
  /** Errors of connections since the last probe. */
  #errors = 0
  readonly #pause = new RejoinPause()
  readonly #timer: NodeJS.Timeout

  constructor(url: string, { onChange, longestWaitMs = longestWait, secret }: RedisOptions = {}) {
    this.#url = url
    this.#firstSecret = secret ?? randomBytes(32).toString('base64url')
    this.#longestWait = longestWaitMs
    if (onChange) this.onChange(onChange)
    this.#client = this.#connect()
    this.#timer = setInterval(() => this.#probe(), probeEvery).unref()
  }

  /** Why Redis is not used; null while it is. It contains neither an address nor a password. */
  get reason(): string | null {
    return this.#reason
  }

  get isUp(): boolean {
    return this.#reason === null
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
    await within(this.#check(this.#client), this.#longestWait).catch(() => {})
  }

  onChange(listener: (reason: string | null) => void): void {
    this.#listeners.push(listener)
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
   * Sends a command of a long read. It goes out also while Redis counts as away, and its wait does not count.
   * Throws RedisAwayError if Redis is not connected or does not answer in time, or the error that Redis returns.
   */
  async read(command: readonly Argument[], longestWaitMs: number): Promise<unknown> {
    const client = this.#client
    if (!client.isReady) throw new RedisAwayError(this.#reason ?? 'Redis is not connected.')
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
    this.#client.destroy()
  }

  async #within<T>(ms: number, run: (client: Client) => Promise<T>): Promise<T> {
    if (this.#reason !== null) throw new RedisAwayError(this.#reason)
    const client = this.#client
    try {
      return await within(run(client), ms)
    } catch (error) {
      if (isAnswer(error)) throw error
      const reason = reasonOf(error, ms)
      if (client === this.#client) this.#change(reason)
      throw new RedisAwayError(reason)
    }
  }

  #connect(): Client {
    const client = clientOf(this.#url)
    // A server that accepts connections may still not answer, for example to the password.
    client.on('connect', () => client === this.#client && (this.#askedAt = performance.now()))
    client.on('ready', () => this.#ready(client))
    // The client reconnects by itself.
    client.on('error', (error) => this.#failed(client, error))
    // Rejects only if it is closed on purpose.
    client.connect().catch(() => {})
    return client
  }

  #ready(client: Client): void {
    if (client === this.#client) this.#askedAt = null
    if (!this.#pause.isOn(performance.now())) void this.#join(client)
  }

  /**
   * The client reconnects without a pause after a connection that was accepted and then closed. So it is
   * replaced if that happens many times between two probes.
   */
  #failed(client: Client, error: unknown): void {
    if (client !== this.#client) return
    this.#askedAt = null
    const reason = notConnected(error)
    // That the connection was closed tells less than what was known before.
    const isKnown = reason === notConnected(null) && this.#reason?.startsWith('Redis is not connected (')
    if (!isKnown) this.#change(reason)
    this.#errors += 1
    if (this.#errors === mostErrors) client.destroy()
  }

  #reconnect(): void {
    if (this.#client.isOpen) this.#client.destroy()
    this.#askedAt = null
    this.#client = this.#connect()
  }

  #probe(): void {
    this.#probes += 1
    const isGivenUp = this.#errors >= mostErrors
    this.#errors = 0
    if (isGivenUp) return this.#reconnect()
    if (this.isUp) {
      if (this.#probes % checkEvery === 0) void this.#check(this.#client)
      return
    }
    if (this.#askedAt !== null && performance.now() - this.#askedAt > longestSilence) {
      this.#change(tooSlow(longestSilence))
      this.#reconnect()
    } else if (this.#askedAt === null && this.#client.isReady && !this.#pause.isOn(performance.now()))
      void this.#join(this.#client)
  }

  /** Probes Redis, and uses it if it answers in time. */
  async #join(client: Client): Promise<void> {
    this.#askedAt = performance.now()
    try {
      const asked = this.#sharedSecret(client)
      const isInTime = within(asked, this.#longestWait).then(
        () => true,
        (error: unknown) => {
          if (error instanceof TooSlowError && client === this.#client)
            this.#change(reasonOf(error, this.#longestWait))
          return false
        },
      )
      const secret = await asked
      if (client !== this.#client || !(await isInTime)) return
      this.#secret = secret
      this.#change(null)
    } catch (error) {
      // Redis is away again, or is not writable. The next probe will show.
      if (client !== this.#client) return
      if (isFull(error)) this.#change(notConnected(error))
      else if (client.isReady) this.#change(refusalOf(error) ?? 'Redis does not accept writes.')
    } finally {
      if (client === this.#client) this.#askedAt = null
    }
  }

  /** Redis' secret. If Redis has lost it, it is stored again, so that keys keep their names. */
  async #sharedSecret(client: Client): Promise<string> {
    const own = this.#secret ?? this.#firstSecret
    const keys = ['secret', 'ledger:probe', '{probe}:probe'].map((name) => prefix + name)
    return String(await client.sendCommand(['EVAL', probeScript, String(keys.length), ...keys, own]))
  }

  /**
   * Redis may have lost its data without a broken connection, and another instance may have stored a new
   * secret.
   */
  async #check(client: Client): Promise<void> {
    try {
      const secret = await this.#sharedSecret(client)
      if (client !== this.#client || !this.isUp || secret === this.#secret) return
      this.#secret = secret
      this.#change('Redis has lost what it had.')
      this.#change(null)
    } catch {
      // The next command will show the error.
    }
  }

  #change(reason: string | null): void {
    if (this.#isClosed) return
    const isSame = (reason === null) === this.isUp
    this.#reason = reason
    if (isSame) return
    if (reason === null) this.#pause.joined(performance.now())
    else this.#pause.left(performance.now())
    for (const listener of this.#listeners) listener(reason)
  }
}
