import { createHash, randomBytes } from 'node:crypto'
import { createClient, RESP_TYPES } from '@redis/client'

/** How long one answer of Redis is waited for, in milliseconds, before this instance goes on alone. */
const longestWait = 50

/** How often Redis is asked whether it is back, in milliseconds. */
const probeEvery = 500
/** Every so many probes, Redis is asked whether it still has what it was given. */
const checkEvery = 4
/** A connection that is silent for so long is given up for a new one. */
const longestSilence = 5_000
/** Between two tries to connect, in milliseconds: at first, and at most. */
const [firstRetry, lastRetry] = [50, 1_000]

/** Redis is away or too slow: go on without it. */
export class RedisAwayError extends Error {}

/** What Statline keeps in Redis begins with this. The number is that of the format. */
export const prefix = 'statline:1:'

type Argument = string | Buffer

/** A script, sent by its hash once Redis knows it. */
export interface Script {
  readonly source: string
  readonly hash: string
}

export const script = (source: string): Script => ({
  source,
  hash: createHash('sha1').update(source).digest('hex'),
})

export interface RedisOptions {
  /** Told each time Redis goes away, with the reason, and each time it is back, with null. */
  readonly onChange?: (reason: string | null) => void
  readonly longestWaitMs?: number
}

/**
 * The connection to Redis. It is made in the background and made again by itself. Each command is bounded in time; the first one that
 * takes longer ends sharing, so that the next do not wait at all, until Redis answers a probe in time.
 */
export class RedisConnection {
  readonly #url: string
  readonly #longestWait: number
  readonly #listeners: ((reason: string | null) => void)[] = []
  #client: Client
  #reason: string | null = 'Redis is not connected yet.'
  #secret: string | null = null
  #askedAt: number | null = null
  #isClosed = false
  #probes = 0
  readonly #timer: NodeJS.Timeout

  constructor(url: string, { onChange, longestWaitMs = longestWait }: RedisOptions = {}) {
    this.#url = url
    this.#longestWait = longestWaitMs
    if (onChange) this.onChange(onChange)
    this.#client = this.#connect()
    this.#timer = setInterval(() => this.#probe(), probeEvery).unref()
  }

  /** Why Redis is not used; null while it is. Holds neither address nor password. */
  get reason(): string | null {
    return this.#reason
  }

  get isUp(): boolean {
    return this.#reason === null
  }

  /** A secret that all instances share, and Redis keeps. Throws RedisAwayError where Redis was never there. */
  get secret(): string {
    if (this.#secret === null) throw new RedisAwayError('Redis has not been there yet.')
    return this.#secret
  }

  onChange(listener: (reason: string | null) => void): void {
    this.#listeners.push(listener)
  }

  /** Resolves once Redis is used, or after a time. */
  async ready(ms: number): Promise<boolean> {
    for (const end = performance.now() + ms; !this.isUp && performance.now() < end;)
      await new Promise((again) => setTimeout(again, 5))
    return this.isUp
  }

  /** Sends a command. Throws RedisAwayError where Redis does not answer in time, or what Redis objects to. */
  send(command: readonly Argument[], longestWaitMs = this.#longestWait): Promise<unknown> {
    return this.#within(longestWaitMs, (client) => client.sendCommand(command))
  }

  /** Runs a script; its bulk strings come as buffers. */
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
      return await bounded(run(client), ms)
    } catch (error) {
      if (!(error instanceof RedisAwayError) && isAnswer(error)) throw error
      const reason = reasonOf(error, ms)
      if (client === this.#client) this.#change(reason)
      throw new RedisAwayError(reason)
    }
  }

  #connect(): Client {
    const client = clientOf(this.#url)
    client.on('ready', () => void this.#join(client))
    // The client connects again by itself. The reason is told in general words: an error may name the address.
    client.on('error', () => client === this.#client && this.#change('Redis is not connected.'))
    // Rejects only where it is closed on purpose.
    client.connect().catch(() => {})
    return client
  }

  #probe(): void {
    this.#probes += 1
    if (this.isUp) {
      if (this.#probes % checkEvery === 0) void this.#check(this.#client)
      return
    }
    if (this.#askedAt !== null && performance.now() - this.#askedAt > longestSilence) {
      this.#client.destroy()
      this.#askedAt = null
      this.#client = this.#connect()
    } else if (this.#askedAt === null && this.#client.isReady) void this.#join(this.#client)
  }

  /** Asks whether Redis is there, and uses it from then on where it answers in time. */
  async #join(client: Client): Promise<void> {
    const asked = (this.#askedAt = performance.now())
    try {
      const secret = await this.#sharedSecret(client)
      if (client !== this.#client || performance.now() - asked > 2 * this.#longestWait) return
      this.#secret = secret
      this.#change(null)
    } catch (error) {
      // Away again, or it may not be written: the next probe will see.
      if (client === this.#client && client.isReady)
        this.#change(refusalOf(error) ?? 'Redis does not accept writes.')
    } finally {
      if (client === this.#client) this.#askedAt = null
    }
  }

  /** The secret that Redis has. One that has lost it gets it back, so that keys keep their names. */
  async #sharedSecret(client: Client): Promise<string> {
    const own = this.#secret ?? randomBytes(32).toString('base64url')
    return String(await client.sendCommand(['EVAL', secretScript, '1', `${prefix}secret`, own]))
  }

  /** Redis may have lost everything while it was connected, and another instance may have put a secret of its own. */
  async #check(client: Client): Promise<void> {
    try {
      const secret = await this.#sharedSecret(client)
      if (client !== this.#client || !this.isUp || secret === this.#secret) return
      this.#secret = secret
      this.#change('Redis has lost what it had.')
      this.#change(null)
    } catch {
      // The next command tells what is wrong.
    }
  }

  #change(reason: string | null): void {
    if (this.#isClosed) return
    const isSame = (reason === null) === this.isUp
    this.#reason = reason
    if (isSame) return
    for (const listener of this.#listeners) listener(reason)
  }
}

/** A script, because all that Redis is used for is scripts that write. */
const secretScript = `
  redis.call('SET', KEYS[1], ARGV[1], 'NX')
  return redis.call('GET', KEYS[1])
`

type Client = ReturnType<typeof clientOf>

const clientOf = (url: string) =>
  createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    socket: {
      connectTimeout: longestSilence,
      reconnectStrategy: (tries: number) => Math.min(lastRetry, firstRetry * 2 ** Math.min(tries, 10)),
    },
  })

/** An objection of Redis itself, which has answered. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && /^[A-Z]{2,}( |$)/.test(error.message) && unwillingness(error) === null

/**
 * Why Redis serves nobody, or not this instance: it starts, follows another, is full, is busy, is a cluster, or its user may not run
 * scripts. Redis 6 tells it of a script's command at the end of the script's error.
 */
const unwilling =
  /^(?:ERR Error running script.*: -)?(LOADING|READONLY|MASTERDOWN|OOM|MISCONF|NOREPLICAS|BUSY|NOAUTH|NOPERM|MOVED|CLUSTERDOWN)\b/

const unwillingness = (error: unknown): string | null =>
  error instanceof Error ? (unwilling.exec(error.message)?.[1] ?? null) : null

/** In general words: an error may name the address. */
function reasonOf(error: unknown, ms: number): string {
  if (error instanceof RedisAwayError) return `Redis did not answer within ${ms} ms.`
  return refusalOf(error) ?? 'Redis is not connected.'
}

function refusalOf(error: unknown): string | null {
  const why = unwillingness(error)
  return why === null ? null : `Redis does not accept writes (${why}).`
}

/** The value, or RedisAwayError after a time in which this process had a chance to read the answer. */
function bounded<T>(value: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new RedisAwayError('Redis is too slow.'))
    // Where this process itself was busy for so long, the answer may have come and wait to be read.
    const timer = setTimeout(() => setImmediate(() => setImmediate(late)), ms)
    value.then(
      (come) => (clearTimeout(timer), resolve(come)),
      (error: unknown) => (clearTimeout(timer), reject(error)),
    )
  })
}
